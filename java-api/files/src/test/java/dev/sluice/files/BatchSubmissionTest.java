package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
        assumeTrue(Mechanism.available().stream().anyMatch(each -> each.name().equals(RING)
                && each.availability().usable()),
                "this kernel or container refuses io_uring");
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
