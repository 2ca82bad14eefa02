package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which files are read directly, as the flags of the calls that open them show. */
@EnabledOnOs(OS.LINUX)
class DirectReadsTest extends LeakChecked {

    private static final String NAME = "file";
    private static final int LENGTH = 200_003;
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
}
