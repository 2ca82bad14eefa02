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
        // Process.waitFor of Java 17 throws for 259, the code that Windows has for a process that runs.
        process.toHandle().onExit().get();
    }
}
