"""Prints a response file far beyond the limit of exec: string macros with
spaces, quotes and backslashes, then the arguments given."""
import sys

for number in range(60000):
    # The macro is the C string "a \\ b <number>".
    print(r'"-DNAME_OF_MACRO_%d=\"a \\\\ b %d, longer than usual\""' % (number, number))
for argument in sys.argv[1:]:
    print('"%s"' % argument)
