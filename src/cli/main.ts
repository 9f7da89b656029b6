process.stdout.write('lathe: the terminal is not written yet\n');
