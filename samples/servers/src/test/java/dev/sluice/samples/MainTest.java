package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a process. */
class MainTest {

    private static final int MORE_THAN_FITS = 16 << 20;

    /** Where what a sample throws has left one of its threads behind. */
    private static final class LeftThread {

        public static void main(String[] arguments) {
            new Thread(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
            Main.main(arguments);
        }
    }

    @Test
    void whatIsThrownEndsTheProcessWhateverThreadsAreLeft(@TempDir Path directory) throws Exception {
        byte[] word = new byte[MORE_THAN_FITS];
        Arrays.fill(word, (byte) 'x');
        Path words = Files.write(directory.resolve("words"), word);
        try (RunningSample process = SampleCommand.of("@" + words).withMain(LeftThread.class.getName())
                .withOption("-Xmx16m").start()) {
            assertEquals(1, process.awaitExit());
            assertTrue(process.errors().text().contains("java.lang.OutOfMemoryError"), process.errors()::text);
        }
    }
}
