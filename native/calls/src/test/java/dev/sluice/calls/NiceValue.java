package dev.sluice.calls;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;

/** The priority of a thread of Linux, as the system reports it. */
public final class NiceValue {

    private static final String STATUS = "/proc/thread-self/stat";
    /** Its place after the program's name, which may itself contain spaces (proc_pid_stat(5)). */
    private static final int FIELD = 16;

    private NiceValue() {
    }

    /** {@return that of the calling thread} */
    public static int ofCurrentThread() throws IOException {
        // Not by a channel, with the first of which Java opens a descriptor for itself.
        try (BufferedReader status = new BufferedReader(new FileReader(STATUS))) {
            String line = status.readLine();
            return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[FIELD]);
        }
    }
}
