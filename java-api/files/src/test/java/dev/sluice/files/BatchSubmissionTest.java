package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the operations of a batch reach io_uring. */
@EnabledOnOs(OS.LINUX)
class BatchSubmissionTest extends LeakChecked {

    private static final String RING = "io_uring";
    private static final int PAGES = 400;
    private static final byte[] ORDER = {1, 2, 3, 4, 5};
    private static final int WAITING = ORDER.length;

    @TempDir
    Path directory;

    /** The maximum number of requests of one call. */
    private final AtomicInteger largest = new AtomicInteger();

    private Binding recording(Binding real) {
        return real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family != Linux.class ? calls : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                        new Class<?>[] {family}, (proxy, method, arguments) -> {
                            if (method.getName().equals("io_uring_enter")) {
                                largest.accumulateAndGet((Integer) arguments[1], Math::max);
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

    @Test
    void oneCallSubmitsHundreds() throws IOException {
        requireRing();
        Binding real = Bindings.current();
        Bindings.use(recording(real));
        try (FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(RING));
                LoopFile file = loop.add(open(), PAGES)) {
            int page = Math.max(file.file().directAlignment().read(), file.file().directAlignment().memory());
            byte[] content = new byte[page * PAGES];
            for (int i = 0; i < PAGES; i++) {
                content[i * page] = (byte) i;
            }
            Files.write(directory.resolve("file"), content);
            ByteBuffer memory = file.file().directAlignment().allocate(content.length);
            FileBatch batch = new FileBatch(loop, PAGES);
            try (Closeable registration = loop.registerBuffer(memory)) {
                for (int i = 0; i < PAGES; i++) {
                    batch.read(file, memory.slice(i * page, page), (long) i * page);
                }
                batch.await();
                long registered = loop.registeredBytes();
                assertTrue(registered == 0 || registered == memory.capacity(), () -> registered + " bytes");
            }
            for (int i = 0; i < PAGES; i++) {
                assertEquals(page, batch.bytes(i));
                assertEquals((byte) i, memory.get(i * page));
            }
            assertTrue(largest.get() >= PAGES, () -> "at most " + largest + " requests by one call");
        } finally {
            Bindings.use(real);
        }
    }

    private static void requireRing() {
        assumeTrue(Mechanism.available().stream().anyMatch(each -> each.name().equals(RING)
                && each.availability().usable()),
                "this kernel or container refuses io_uring");
    }

    /** Its operations cannot start before the next completion, after which the loop runs its tasks. */
    @Test
    void submissionToAFullFileDoesNotWakeTheLoop() throws Exception {
        requireRing();
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        Thread submitter = Thread.currentThread();
        AtomicInteger signals = new AtomicInteger();
        try (FaultInjection calls = FaultInjection.install();
                FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(RING));
                LoopFile file = loop.add(FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE), 1);
                OutputStream end = Files.newOutputStream(fifo, StandardOpenOption.WRITE)) {
            List<FileBatch> batches = new ArrayList<>();
            List<ByteBuffer> bytes = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                bytes.add(ByteBuffer.allocateDirect(1));
                batches.add(new FileBatch(loop, 1));
                batches.get(i).read(file, bytes.get(i), 0);
                batches.get(i).submit();
                if (i == 0) {
                    OtherThread.await(file::isFull);
                    calls.before("write", () -> signals.addAndGet(Thread.currentThread() == submitter ? 1 : 0));
                }
            }
            assertEquals(0, signals.get());
            end.write(ORDER);
            for (int i = 0; i < WAITING; i++) {
                batches.get(i).await();
                assertEquals(ORDER[i], bytes.get(i).get(0));
            }
        }
    }

    private FileHandle open() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        try {
            return FileHandle.open(path, FileOption.DIRECT);
        } catch (SystemCallException e) {
            assumeTrue(!e.errorName().equals("EINVAL"), "no direct access to files here");
            throw e;
        }
    }
}
