package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which files are read directly, as the flags of the calls that open them show, and by which threads. */
@EnabledOnOs(OS.LINUX)
class DirectReadsTest extends LeakChecked {

    private static final String NAME = "file";
    /** More than the JDK starts carriers by default: one for each processor, up to 256 if those are blocked. */
    private static final int READERS = Math.max(256, Runtime.getRuntime().availableProcessors()) + 1;
    /** A block for each reader. */
    private static final int LENGTH = READERS * BlockPool.UNIT + 3;
    /** The size of a merge from which on its files are read directly. */
    private static final long LARGE = 10L << 20;
    private static final List<Boolean> CACHED = List.of(false);
    private static final List<Boolean> DIRECT = List.of(true);

    @TempDir
    Path path;

    /** Of each file that the system was asked to open, whether it was for direct access. */
    private final List<Boolean> opened = new CopyOnWriteArrayList<>();
    private final byte[] content = new byte[LENGTH];

    @BeforeEach
    void write() throws IOException {
        new Random(LENGTH).nextBytes(content);
        Files.write(path.resolve(NAME), content);
        Binding real = Bindings.current();
        own(() -> Bindings.use(real));
        Bindings.use(recording(real));
    }

    private Binding recording(Binding real) {
        return real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family != Posix.class ? calls : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                        new Class<?>[] {family}, (proxy, method, arguments) -> {
                            if (method.getName().equals("open")) {
                                opened.add(((Integer) arguments[1] & FileConstants.O_DIRECT) != 0);
                            }
                            try {
                                return method.invoke(calls, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        });
    }

    /** {@return a loop whose threads make the calls, which may have faults} */
    private static FileLoop openLoop() throws IOException {
        return FileLoop.open(Proactor.builder().demultiplexer("poll"));
    }

    private static IOContext merge(long bytes) {
        return IOContext.merge(new MergeInfo(100, bytes, false, -1));
    }

    /** Reads the whole file, and returns how it was opened. */
    private List<Boolean> read(SluiceDirectory directory, IOContext context) throws IOException {
        opened.clear();
        try (IndexInput input = directory.openInput(NAME, context)) {
            byte[] read = new byte[LENGTH];
            input.readBytes(read, 0, LENGTH);
            assertArrayEquals(content, read);
        }
        return List.copyOf(opened);
    }

    @Test
    void filesOfLargeMergesAreReadDirectly() throws IOException {
        try (FileLoop loop = openLoop(); SluiceDirectory directory = TestedDirectory.DEFAULT.open(path, loop, 4)) {
            assertEquals(CACHED, read(directory, IOContext.DEFAULT));
            assertEquals(CACHED, read(directory, merge(LARGE - 1)));
            List<Boolean> ofLargeMerge = read(directory, merge(LARGE));
            assertTrue(ofLargeMerge.get(0), "not asked for direct access");
            assumeTrue(ofLargeMerge.size() == 1, "no direct access to files here");
            assertEquals(DIRECT, read(directory, merge(Long.MAX_VALUE)));
        }
    }

    /** As that of a file system which has no direct access. */
    @Test
    void refusalOfDirectAccessFallsBackToTheCache() throws IOException {
        try (FaultInjection faults = FaultInjection.install(); FileLoop loop = openLoop();
                SluiceDirectory directory = TestedDirectory.DEFAULT.open(path, loop, 4)) {
            int before = faults.calls("open");
            faults.failNth("open", 1, Errno.EINVAL);
            assertEquals(CACHED, read(directory, merge(LARGE)));
            assertEquals(before + 2, faults.calls("open"));
            // An error that has nothing to do with that is no refusal.
            faults.failNth("open", 1, Errno.EIO);
            IOException failure = assertThrows(IOException.class, () -> read(directory, merge(LARGE)));
            assertTrue(failure.getMessage().contains("EIO"), failure.getMessage());
            assertEquals(before + 3, faults.calls("open"));
        }
    }

    /** If a wait held a carrier, there would be none left for the last thread. */
    @Test
    void waitingVirtualThreadsHoldNoCarriers() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch disk = new CountDownLatch(1);
        Set<Thread> callers = ConcurrentHashMap.newKeySet();
        try (FaultInjection faults = FaultInjection.install(); FileLoop loop = openLoop();
                SluiceDirectory directory = TestedDirectory.DIRECT.open(path, loop, READERS);
                IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
            assumeTrue(opened.get(opened.size() - 1), "no direct access to files here");
            faults.before("pread", () -> {
                callers.add(Thread.currentThread());
                reading.countDown();
                OtherThread.await(disk);
            });
            List<FutureTask<Byte>> reads = new ArrayList<>();
            List<Thread> readers = new ArrayList<>();
            try {
                for (int i = 0; i < READERS; i++) {
                    IndexInput clone = input.clone();
                    clone.seek((long) i * BlockPool.UNIT);
                    FutureTask<Byte> read = new FutureTask<>(() -> clone.readByte());
                    reads.add(read);
                    readers.add(Thread.ofVirtual().start(read));
                }
                OtherThread.await(reading);
                readers.forEach(OtherThread::awaitWaiting);
                FutureTask<Boolean> other = new FutureTask<>(() -> reads.stream().anyMatch(read -> read.isDone()));
                Thread.ofVirtual().start(other);
                assertFalse(other.get(1, TimeUnit.MINUTES), "a read has not waited for the disk");
            } finally {
                disk.countDown();
            }
            for (int i = 0; i < READERS; i++) {
                assertEquals(content[i * BlockPool.UNIT], reads.get(i).get(1, TimeUnit.MINUTES));
            }
            // A virtual thread in a call of the system would hold its carrier, unlike one that waits in this test.
            assertTrue(callers.stream().noneMatch(Thread::isVirtual), callers::toString);
        }
    }
}
