package dev.sluice.mechanism.wfmo;

import java.io.IOException;

/** A process of the system that ends when the test asks it to. */
final class EndingProcess implements AutoCloseable {

    private final Process process;

    /** Starts one that will return the code. */
    EndingProcess(long code) throws IOException {
        // It waits for a line, and takes the end of its input for one.
        process = new ProcessBuilder("cmd.exe", "/c", "set /p line= & exit " + (int) code)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** {@return its number in Windows} */
    long pid() {
        return process.pid();
    }

    void askToEnd() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() throws Exception {
        askToEnd();
        try {
            process.waitFor();
        } catch (IllegalThreadStateException e) {
            // It has ended with 259, which some versions of Java take for the code of a process that runs.
        }
    }
}
