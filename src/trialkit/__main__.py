from trialkit.cli import main

main()
