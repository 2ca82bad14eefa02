package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.MAP_PRIVATE;
import static dev.sluice.calls.layout.FileConstants.MAP_SHARED;
import static dev.sluice.calls.layout.FileConstants.MS_SYNC;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_RDONLY;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.FileConstants.PROT_READ;
import static dev.sluice.calls.layout.FileConstants.PROT_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as memory. */
public abstract class MappingContract extends BindingContract {

    /** A multiple of every page size that our CPUs have. */
    private static final int PAGES = 1 << 16;

    @TempDir
    Path directory;

    private Path path;
    private int file;

    protected MappingContract(Binding binding) {
        super(binding);
    }

    @BeforeEach
    void create() {
        path = directory.resolve("file");
        file = own(posix.open(text(path.toString()).address(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        ok(posix.ftruncate(file, FAR + PAGES));
    }

    @Test
    void whatIsWrittenIsInTheFile() {
        long address = map(PAGES, PROT_READ | PROT_WRITE, MAP_SHARED, FAR);
        try (MemoryBlock mapped = memory.wrap(address, PAGES, () -> { })) {
            mapped.buffer().putLong(PAGES - 8, 0x0123456789ABCDEFL);
            ok(posix.msync(address, PAGES, MS_SYNC));
            MemoryBlock in = block(8);
            assertEquals(8, posix.pread(file, in.address(), 8, FAR + PAGES - 8));
            assertEquals(0x0123456789ABCDEFL, in.buffer().getLong(0));
        }
        ok(posix.munmap(address, PAGES));
    }

    @Test
    void privateChangesStayPrivate() {
        assertEquals(4, posix.pwrite(file, text("file").address(), 4, FAR));
        long address = map(PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE, FAR);
        try (MemoryBlock mapped = memory.wrap(address, PAGES, () -> { })) {
            assertEquals("file", text(mapped, 0, 4));
            mapped.buffer().put(0, (byte) 'm');
            MemoryBlock in = block(4);
            assertEquals(4, posix.pread(file, in.address(), 4, FAR));
            assertEquals("file", text(in, 0, 4));
        }
        ok(posix.munmap(address, PAGES));
    }

    @Test
    void mapsMoreThanFourGiB() {
        assertEquals(1, posix.pwrite(file, text("z").address(), 1, FAR));
        long address = map(FAR + PAGES, PROT_READ, MAP_SHARED, 0);
        MemoryBlock in = block(1);
        int[] pipe = pipe();
        assertEquals(1, posix.write(pipe[1], address + FAR, 1), "the system reads what is mapped");
        assertEquals(1, posix.read(pipe[0], in.address(), 1));
        assertEquals("z", text(in, 0, 1));
        ok(posix.munmap(address, FAR + PAGES));
    }

    @Test
    void unmappedMemoryIsGone() {
        long address = map(PAGES, PROT_READ, MAP_SHARED, 0);
        ok(posix.munmap(address, PAGES));
        assertFails(Errno.ENOMEM, posix.msync(address, PAGES, MS_SYNC));
    }

    @Test
    void refuses() throws Exception {
        assertFails(Errno.EINVAL, posix.mmap(0, 0, PROT_READ, MAP_SHARED, file, 0));
        assertFails(Errno.EINVAL, posix.mmap(0, PAGES, PROT_READ, MAP_SHARED, file, 1));
        assertFails(Errno.ENODEV, posix.mmap(0, PAGES, PROT_READ, MAP_SHARED, pipe()[0], 0));
        assertFails(Errno.EINVAL, posix.munmap(1, PAGES));
        assertFails(Errno.EINVAL, posix.msync(1, PAGES, MS_SYNC));
        Path readOnly = Files.writeString(directory.resolve("read-only"), "x");
        int reader = own(posix.open(text(readOnly.toString()).address(), O_RDONLY | O_CLOEXEC, 0));
        assertFails(Errno.EACCES, posix.mmap(0, 1, PROT_READ | PROT_WRITE, MAP_SHARED, reader, 0));
    }

    private long map(long length, int protection, int flags, long offset) {
        return ok(posix.mmap(0, length, protection, flags, file, offset));
    }
}
