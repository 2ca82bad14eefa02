package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Statx;
import dev.sluice.testing.Depth;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files whose writes are atomic. Few disks have them, so some tests only tell the library that this one does. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class AtomicFileTest extends LeakChecked {

    private static final int MIN = 4096;
    private static final int MAX = 16_384;

    @TempDir
    Path directory;

    private Path path;
    private FileHandle plain;

    @BeforeEach
    void open() throws Exception {
        path = directory.resolve("file");
        plain = own(FileHandle.open(path, READ, WRITE, CREATE));
    }

    /** Makes {@code statx} report atomic writes, which the kernel refuses nevertheless. */
    private static Binding claiming(Binding real) {
        return real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family != Linux.class ? calls : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                        new Class<?>[] {family}, (proxy, method, arguments) -> {
                            Object result = FaultInjection.reflect(calls, method, arguments);
                            if (method.getName().equals("statx")) {
                                claim(real, (Long) arguments[4]);
                            }
                            return result;
                        }));
            }
        });
    }

    private static void claim(Binding real, long status) {
        try (MemoryBlock block = real.memory().wrap(status, Statx.SIZE, () -> { })) {
            ByteBuffer memory = block.buffer();
            memory.putInt(Statx.MASK, memory.getInt(Statx.MASK) | Statx.WRITE_ATOMIC);
            memory.putInt(Statx.ATOMIC_WRITE_UNIT_MIN, MIN).putInt(Statx.ATOMIC_WRITE_UNIT_MAX, MAX);
        }
    }

    private static void assertRefused(String message, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void onlyAlignedPowersOfTwoReachTheSystemWithTheFlag() throws Exception {
        boolean isReal = plain.maxAtomicWrite() > 0;
        Binding real = Bindings.current();
        Bindings.use(claiming(real));
        try (FileHandle file = FileHandle.open(path, READ, WRITE, FileOption.DIRECT, FileOption.ATOMIC)) {
            assertEquals(MIN, file.minAtomicWrite());
            assertEquals(MAX, file.maxAtomicWrite());
            ByteBuffer buffer = file.directAlignment().allocate(2 * MAX);
            assertRefused("length: 2048 is not a ", () -> file.write(slice(buffer, 2048), 0));
            assertRefused("length: 12288 is not a power of two from 4096 to 16384, as atomic writes of " + file,
                    () -> file.write(slice(buffer, 3 * MIN), 0));
            assertRefused("length: 32768 is not a power of two", () -> file.write(slice(buffer, 2 * MAX), 0));
            assertRefused("position: 4096 is not a multiple of the length, 8192, as atomic writes of " + file,
                    () -> file.write(slice(buffer, 2 * MIN), MIN));
            ByteBuffer[] both = {slice(buffer, MIN), slice(buffer, MIN)};
            assertRefused("buffers: an atomic write of " + file + " takes the bytes of one buffer",
                    () -> file.write(both, 0, 2, 0));
            assertRefused("target: ", () -> plain.copyTo(0, 0, file, 0));
            assertEquals(0, file.size());
            if (!isReal) {
                // The kernel has got the flag.
                for (Executable write : new Executable[] {() -> file.write(slice(buffer, MIN), 0),
                    () -> file.write(new ByteBuffer[] {slice(buffer, 0), slice(buffer, MIN)}, 0, 2, 0)}) {
                    assertEquals(Errno.EOPNOTSUPP, assertThrows(SystemCallException.class, write).error());
                }
            }
            assertEquals(0, file.write(slice(buffer, 0), 0));
            // Reads need not be atomic.
            assertEquals(FileHandle.END_OF_FILE, file.read(slice(buffer, 3 * MIN), 0));
        } finally {
            Bindings.use(real);
        }
    }

    private static ByteBuffer slice(ByteBuffer buffer, int length) {
        return buffer.slice(0, length);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureNamesWhatIsMissing() throws Exception {
        assumeTrue(plain.maxAtomicWrite() == 0, "not available here");
        assertEquals(0, plain.minAtomicWrite());
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> FileHandle.open(path, WRITE, FileOption.DIRECT, FileOption.ATOMIC));
        assertEquals("open " + path + ": EOPNOTSUPP (" + Errno.EOPNOTSUPP.text() + "); the kernel, the file system or"
                + " the disk has no atomic writes, which ATOMIC asks for", e.getMessage());
        try (FaultInjection faults = FaultInjection.install()) {
            // The second one is about atomic writes.
            faults.failNth("statx", 2, Errno.EIO);
            assertEquals("statx", assertThrows(SystemCallException.class,
                    () -> FileHandle.open(path, WRITE, FileOption.DIRECT, FileOption.ATOMIC)).call());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void needsDirectAccessAndPositions() {
        assertThrows(IllegalArgumentException.class, () -> FileHandle.open(path, WRITE, FileOption.ATOMIC));
        assertThrows(IllegalArgumentException.class,
                () -> FileHandle.open(path, READ, FileOption.DIRECT, FileOption.ATOMIC));
        assertThrows(IllegalArgumentException.class,
                () -> FileHandle.open(path, WRITE, APPEND, FileOption.DIRECT, FileOption.ATOMIC));
    }

    @Test
    @DisabledOnOs(value = OS.LINUX, disabledReason = "this system has the option")
    void otherSystemsDoNotHaveThem() throws Exception {
        assertEquals(0, plain.minAtomicWrite());
        assertEquals(0, plain.maxAtomicWrite());
        assertThrows(UnsupportedOperationException.class,
                () -> FileHandle.open(path, WRITE, FileOption.DIRECT, FileOption.ATOMIC));
    }
}
