package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options of {@link FileHandle#open}. */
@Tag(Depth.IN_QUICK)
class FileOptionsTest extends LeakChecked {

    @TempDir
    Path directory;

    private Path existing;
    private Path missing;

    @BeforeEach
    void writeFile() throws Exception {
        existing = Files.writeString(directory.resolve("existing"), "content");
        missing = directory.resolve("missing");
    }

    private FileHandle open(Path path, OpenOption... options) throws Exception {
        return own(FileHandle.open(path, options));
    }

    private static Errno errorOf(ThrowingCall call) {
        return assertThrows(SystemCallException.class, call::run).error();
    }

    private interface ThrowingCall {
        void run() throws Exception;
    }

    /** {@return the error of a call that the open mode does not allow} */
    private static Errno notOpenedForIt() {
        return CalledSystem.isWindows() ? Errno.EACCES : Errno.EBADF;
    }

    @Test
    void readIsTheDefaultAndCannotWrite() throws Exception {
        for (FileHandle file : new FileHandle[] {open(existing), open(existing, READ)}) {
            assertEquals(7, file.read(ByteBuffer.allocate(10), 0));
            SystemCallException e = assertThrows(SystemCallException.class, () -> file.write(Bytes.heap("x"), 0));
            assertEquals("pwrite " + file + ": " + notOpenedForIt() + " (" + notOpenedForIt().text() + ")",
                    e.getMessage());
        }
    }

    @Test
    void writeCannotReadAndKeepsTheContent() throws Exception {
        FileHandle file = open(existing, WRITE);
        assertEquals(1, file.write(Bytes.heap("C"), 0));
        assertEquals("Content", Files.readString(existing));
        assertEquals(notOpenedForIt(), errorOf(() -> file.read(ByteBuffer.allocate(1), 0)));
    }

    @Test
    void appendIgnoresThePosition() throws Exception {
        FileHandle file = open(existing, APPEND);
        assertEquals(2, file.write(Bytes.heap("+1"), 0));
        Files.writeString(existing, "!", APPEND);
        assertEquals(2, file.write(new ByteBuffer[] {Bytes.heap("+"), Bytes.heap("2")}, 0, 2, 3));
        assertEquals("content+1!+2", Files.readString(existing));
        assertEquals(notOpenedForIt(), errorOf(() -> file.read(ByteBuffer.allocate(1), 0)));
        assertEquals(1, open(existing, APPEND, READ).read(ByteBuffer.allocate(1), 0));
    }

    /** Appending must not pass a position, because other systems and C libraries write at that position. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void appendDoesNotRelyOnPositionedWrites() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
                FileHandle file = FileHandle.open(existing, APPEND)) {
            faults.failEach("pwrite", Errno.EOPNOTSUPP).failEach("pwritev", Errno.EOPNOTSUPP);
            assertEquals(2, file.write(Bytes.heap("+1"), 0));
            assertEquals(2, file.write(new ByteBuffer[] {Bytes.heap("+"), Bytes.heap("2")}, 0, 2, 3));
        }
        assertEquals("content+1+2", Files.readString(existing));
    }

    @Test
    void createPreservesAnExistingFile() throws Exception {
        open(missing, CREATE, WRITE).write(Bytes.heap("new"), 0);
        assertEquals("new", Files.readString(missing));
        open(existing, CREATE, WRITE);
        assertEquals("content", Files.readString(existing));
    }

    @Test
    void createNewFailsForAnExistingFile() throws Exception {
        SystemCallException e =
                assertThrows(SystemCallException.class, () -> FileHandle.open(existing, CREATE_NEW, WRITE));
        assertEquals("open " + existing + ": EEXIST (file exists)", e.getMessage());
        open(missing, CREATE_NEW, WRITE);
        assertTrue(Files.exists(missing));
    }

    @Test
    void truncateForgetsTheContent() throws Exception {
        assertEquals(0, open(existing, WRITE, TRUNCATE_EXISTING).size());
    }

    // As documented in StandardOpenOption.
    @Test
    void creatingOptionsAreIgnoredWithoutWrite() throws Exception {
        assertEquals(7, open(existing, READ, TRUNCATE_EXISTING).size());
        assertEquals(7, open(existing, TRUNCATE_EXISTING).size());
        assertEquals(7, open(existing, CREATE_NEW).size());
        assertEquals(Errno.ENOENT, errorOf(() -> FileHandle.open(missing, CREATE)));
        assertFalse(Files.exists(missing));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void syncReachesTheSystem() throws Exception {
        assertEquals(FileConstants.O_SYNC, flags(open(existing, WRITE, SYNC)) & FileConstants.O_SYNC);
        assertEquals(FileConstants.O_DSYNC, flags(open(existing, WRITE, DSYNC)) & FileConstants.O_SYNC);
        assertEquals(0, flags(open(existing, WRITE)) & FileConstants.O_SYNC);
    }

    private static int flags(FileHandle file) throws Exception {
        int descriptor = (int) Descriptors.of(file.handle()).acquire();
        try {
            return Bindings.current().posix().fcntl(descriptor, FileConstants.F_GETFL, 0);
        } finally {
            Descriptors.of(file.handle()).release();
        }
    }

    @Test
    void sameOptionTwiceIsNoMistake() throws Exception {
        assertEquals(7, open(existing, READ, READ).size());
    }

    @Test
    void otherOptionsAreNamed() {
        OpenOption strange = new OpenOption() {
            @Override
            public String toString() {
                return "STRANGE";
            }
        };
        for (OpenOption option : new OpenOption[] {SPARSE, strange}) {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class,
                    () -> FileHandle.open(missing, CREATE, WRITE, option));
            assertEquals("open option " + option, e.getMessage());
        }
        assertFalse(Files.exists(missing));
    }

    @Test
    void rejectsOptionsThatExcludeEachOther() {
        OpenOption[][] wrong = {{APPEND, TRUNCATE_EXISTING}, {FileOption.TMPFILE}, {FileOption.TMPFILE, READ},
            {FileOption.TMPFILE, WRITE, CREATE}, {FileOption.TMPFILE, WRITE, CREATE_NEW},
            {FileOption.TMPFILE, WRITE, TRUNCATE_EXISTING}, {FileOption.TMPFILE, WRITE, DELETE_ON_CLOSE},
            {FileOption.BENEATH, DELETE_ON_CLOSE}};
        for (OpenOption[] options : wrong) {
            boolean has = !CalledSystem.isWindows() || options[0] == APPEND;
            Class<? extends RuntimeException> refusal =
                    has ? IllegalArgumentException.class : UnsupportedOperationException.class;
            assertThrows(refusal, () -> FileHandle.open(directory, options), () -> Arrays.toString(options));
        }
    }

    @Test
    void missingFileIsNamed() {
        SystemCallException e = assertThrows(SystemCallException.class, () -> FileHandle.open(missing));
        assertEquals("open " + missing + ": ENOENT (no such file or directory)", e.getMessage());
        assertEquals(missing.toString(), e.subject());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void directoryCannotBeReadAsAFile() throws Exception {
        SystemCallException e = assertThrows(SystemCallException.class, () -> FileHandle.open(directory, WRITE));
        assertEquals("open " + directory + ": EISDIR (is a directory)", e.getMessage());
        FileHandle opened = open(directory);
        assertEquals(Errno.EISDIR, errorOf(() -> opened.read(ByteBuffer.allocate(1), 0)));
    }

    @Test
    void nameBeyondAscii() throws Exception {
        Path path = directory.resolve("Schleuse-\u6c34\u9580");
        open(path, CREATE, WRITE);
        assertTrue(Files.exists(path));
    }
}
