package dev.sluice.samples.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work for which there is no thread. A connection that has given it away waits for its end. */
class FileThreadsTest {

    private final List<Thread> runs = new ArrayList<>();

    private void run(FileThreads threads) {
        threads.run(() -> runs.add(Thread.currentThread()));
    }

    @Test
    void callerRunsItIfTheSystemRefusesAThread() {
        try (FileThreads threads = new FileThreads(work -> {
            throw new OutOfMemoryError("unable to create native thread");
        })) {
            run(threads);
            assertEquals(List.of(Thread.currentThread()), runs);
        }
    }

    @Test
    void callerRunsItAfterTheClose() {
        FileThreads threads = new FileThreads();
        threads.close();
        run(threads);
        assertEquals(List.of(Thread.currentThread()), runs);
    }
}
