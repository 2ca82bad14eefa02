package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Partly with files in place of the kernel's, because a test cannot make the kernel reuse a task's number. */
@EnabledOnOs(OS.LINUX)
class KernelTaskTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path procfs;
    private Path stat;

    private void show(char state, int startTime) throws IOException {
        if (stat == null) {
            stat = Files.createDirectories(procfs.resolve("7/task/9")).resolve("stat");
            Files.createSymbolicLink(procfs.resolve("thread-self"), Path.of("7/task/9"));
        }
        Files.writeString(stat, "9 (a ) b) " + state + " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " + startTime
                + " 20\n");
    }

    private KernelTask current(Duration patience) {
        return KernelTask.current(procfs, patience);
    }

    @Test
    void theEndOfAThreadIsSeen() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<KernelTask> find = new FutureTask<>(() -> KernelTask.current(KernelTask.PROCFS, PATIENCE));
        Thread thread = new Thread(() -> {
            find.run();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(KernelTask.isShown(KernelTask.PROCFS));
        thread.start();
        KernelTask task = find.get();
        mayEnd.countDown();
        assertTrue(task.awaitEnd());
        thread.join();
    }

    @Test
    void aLaterTaskOfTheSameNumberIsAnother() throws IOException {
        show('R', 1000);
        KernelTask task = current(PATIENCE);
        show('R', 1001);
        assertTrue(task.awaitEnd());
    }

    @Test
    void aZombieHasEnded() throws IOException {
        show('R', 1000);
        KernelTask task = current(PATIENCE);
        show('Z', 1000);
        assertTrue(task.awaitEnd());
    }

    @Test
    void whatIsNotShownAnyMoreHasEnded() throws IOException {
        show('R', 1000);
        KernelTask task = current(PATIENCE);
        show('R', 1000);
        Files.delete(stat);
        Files.delete(procfs.resolve("thread-self"));
        Path other = Files.createDirectories(procfs.resolve("7/task/8")).resolve("stat");
        Files.writeString(other, "8 (other) R 1\n");
        Files.createSymbolicLink(procfs.resolve("thread-self"), Path.of("7/task/8"));
        assertTrue(task.awaitEnd());
    }

    @Test
    void oneThatDoesNotEndIsNotWaitedForForever() throws IOException {
        show('D', 1000);
        KernelTask task = current(Duration.ofMillis(20));
        assertFalse(task.awaitEnd());
        assertFalse(task.awaitEnd());
        assertEquals("task 9", task.toString());
        show('Z', 1000);
        assertTrue(task.awaitEnd());
    }

    @Test
    void whatIsShownNoLongerAtAllMayBeThere() throws IOException {
        show('R', 1000);
        KernelTask task = current(Duration.ofMillis(20));
        Files.delete(stat);
        Files.delete(procfs.resolve("thread-self"));
        assertFalse(task.awaitEnd());
    }

    @Test
    void oneThatIsNotShownIsWaitedForWithoutSuccess() {
        assertFalse(KernelTask.isShown(procfs));
        assertFalse(current(Duration.ofMillis(20)).awaitEnd());
    }
}
