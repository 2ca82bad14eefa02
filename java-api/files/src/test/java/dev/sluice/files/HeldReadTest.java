package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait for a read while the disk has no answer yet. */
@EnabledOnOs(OS.LINUX)
class HeldReadTest extends LeakChecked {

    private static final int PAGE = 4096;
    private static final int INTERRUPTS = 3;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    /** More than the JDK starts carriers by default: one for each processor, up to 256 if those are blocked. */
    private static final int MORE_THAN_CARRIERS = Math.max(256, Runtime.getRuntime().availableProcessors()) + 1;

    @TempDir
    Path directory;

    private final byte[] content = new byte[PAGE];
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch disk = new CountDownLatch(1);
    private FaultInjection faults;
    private FileLoop loop;
    private LoopFile file;

    @BeforeEach
    void holdReads() throws IOException {
        new Random(PAGE).nextBytes(content);
        Path path = Files.write(directory.resolve("page"), content);
        faults = FaultInjection.install();
        // What the cache lacks is read by threads of the pool, and does not hold up the thread of the loop.
        faults.failEach("preadv2", Errno.EAGAIN);
        faults.before("pread", () -> {
            reading.countDown();
            OtherThread.await(disk);
        });
        loop = FileLoop.open(Proactor.builder().demultiplexer("poll"));
        file = loop.openFile(path);
    }

    @AfterEach
    void close() {
        disk.countDown();
        file.close();
        loop.close();
        faults.close();
    }

    private ByteBuffer read() throws IOException {
        FileBatch batch = new FileBatch(loop, 1);
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        batch.read(file, page, 0);
        batch.await();
        return page.flip();
    }

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS, "this Java has no virtual threads");
        return FullHeapBatches.virtualThreads();
    }

    /** If a wait held a carrier, there would be none left for the last thread. */
    @Test
    void waitingVirtualThreadsHoldNoCarriers() throws Exception {
        ThreadFactory virtual = virtualThreads();
        List<FutureTask<ByteBuffer>> reads = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_CARRIERS; i++) {
            FutureTask<ByteBuffer> read = new FutureTask<>(this::read);
            reads.add(read);
            Thread reader = virtual.newThread(read);
            readers.add(reader);
            reader.start();
        }
        OtherThread.await(reading);
        readers.forEach(OtherThread::awaitWaiting);
        FutureTask<Boolean> other = new FutureTask<>(() -> reads.stream().anyMatch(read -> read.isDone()));
        virtual.newThread(other).start();
        assertFalse(other.get(1, TimeUnit.MINUTES), "a read has not waited for the disk");
        disk.countDown();
        for (FutureTask<ByteBuffer> read : reads) {
            assertEquals(ByteBuffer.wrap(content), read.get(1, TimeUnit.MINUTES));
        }
        assertTrue(faults.calls("pread") >= MORE_THAN_CARRIERS);
    }

    /** By another thread, again and again: each interrupt wakes the thread. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptDuringTheWaitEndsNothing(boolean virtual) throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        FutureTask<ByteBuffer> read = new FutureTask<>(() -> {
            ByteBuffer page = read();
            interrupted.set(Thread.interrupted());
            return page;
        });
        Thread reader = virtual ? virtualThreads().newThread(read) : new Thread(read);
        reader.start();
        OtherThread.await(reading);
        for (int i = 0; i < INTERRUPTS; i++) {
            OtherThread.awaitWaiting(reader);
            reader.interrupt();
            // Without that, the thread would not wait again, but look all the time.
            OtherThread.await(() -> !reader.isInterrupted());
        }
        OtherThread.awaitWaiting(reader);
        assertFalse(read.isDone(), "an interrupt has ended the wait");
        disk.countDown();
        assertEquals(ByteBuffer.wrap(content), read.get(1, TimeUnit.MINUTES));
        assertTrue(interrupted.get(), "the interrupt is forgotten");
        assertTrue(file.file().handle().isOpen());
        assertEquals(ByteBuffer.wrap(content), read());
    }
}
