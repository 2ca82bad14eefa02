package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that may take minutes, or an hour. */
public final class LongProcess {

    private static final long MAX_MINUTES = 90;

    private LongProcess() {
    }

    /** Waits for its orderly end, and returns all it said on both of its outputs. */
    public static String run(ProcessBuilder builder) throws Exception {
        Path log = Files.createTempFile(builder.directory().toPath(), "output", ".log");
        Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null")).start();
        // A build that is broken off in the middle leaves nothing running behind.
        Thread lastResort = new Thread(() -> end(process));
        Runtime.getRuntime().addShutdownHook(lastResort);
        try {
            assertTrue(process.waitFor(MAX_MINUTES, TimeUnit.MINUTES), () -> builder.command() + " does not end");
            String said = Files.readString(log);
            assertEquals(0, process.exitValue(), () -> builder.command() + " said:\n" + said);
            return said;
        } finally {
            end(process);
            Runtime.getRuntime().removeShutdownHook(lastResort);
            Files.delete(log);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
