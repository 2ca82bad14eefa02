package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.OtherSystem;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Attributes of files, and names in open directories. */
@Tag(Depth.TRANSFER)
@Tag(CalledSystem.NOT_WINDOWS)
abstract class NameContract extends OperationContract {

    private static final Path ONE = Path.of("one");
    private static final Path TWO = Path.of("two \u00e4\u20ac");
    private static final OpenOption[] READ = {StandardOpenOption.READ};
    private static final FileAttribute<?>[] NO_ATTRIBUTES = {};
    /** More than the threads of a pool. */
    private static final int MANY = 20;

    private Path path;
    private DirectoryHandle folder;
    /** What is in the folder before {@link #many} operations. */
    private final Map<String, String> contents = new TreeMap<>(Map.of(ONE.toString(), "1"));
    private final Map<Flight, NameChange> changes = new HashMap<>();

    NameContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFolder() throws IOException {
        path = Files.createDirectory(directory.resolve("folder"));
        folder = own(DirectoryHandle.open(path));
        Files.writeString(path.resolve(ONE), "1");
    }

    private String content(Path name) throws IOException {
        return Files.readString(path.resolve(name));
    }

    // Attributes

    private static void assertSame(PosixFileAttributes expected, Flight status) {
        PosixFileAttributes actual = status.status();
        assertEquals(expected.size(), actual.size());
        assertEquals(expected.lastModifiedTime(), actual.lastModifiedTime());
        assertEquals(expected.permissions(), actual.permissions());
        assertEquals(expected.owner(), actual.owner());
        assertEquals(expected.isDirectory(), actual.isDirectory());
        assertEquals(expected.isSymbolicLink(), actual.isSymbolicLink());
    }

    private static PosixFileAttributes expected(Path of) throws IOException {
        return Files.readAttributes(of, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void attributesAreThoseOfTheOpenFile() throws IOException {
        Path file = path.resolve(ONE);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_890_123L));
        PosixFileAttributes before = expected(file);
        FileHandle open = own(FileHandle.open(file));
        Association where = associate(open.handle());
        Files.move(file, path.resolve(TWO));
        Files.writeString(file, "another");
        Flight status = start(o -> o.status(where));
        assertResult(0, status);
        assertEquals(OperationType.STATUS, status.operation().type());
        assertSame(before, status);
        assertEquals(Files.getAttribute(path.resolve(TWO), "unix:ino"), status.status().fileKey());
        open.close();
        assertCancelled(status.start(o -> o.status(where)));
    }

    @Test
    void attributesAreThoseOfTheName() throws IOException {
        Files.createSymbolicLink(path.resolve(TWO), ONE);
        Files.createDirectory(path.resolve("below"));
        for (Path name : List.of(ONE, TWO, Path.of("below"))) {
            Flight status = start(o -> o.status(folder, name));
            assertResult(0, status);
            assertNull(status.operation().association());
            assertSame(expected(path.resolve(name)), status);
        }
        Flight failing = start(o -> o.status(folder, Path.of("none")));
        assertNamed("fstatat", Errno.ENOENT, "none", failing);
        assertNull(failing.status());
    }

    @Test
    void attributesOfAPipe() throws IOException {
        Association pipe = associate(own(Pipe.open()).sink());
        Flight status = start(o -> o.status(pipe));
        assertResult(0, status);
        assertTrue(status.status().isOther());
    }

    // Names

    @Test
    void renameReplacesWhatHasTheNewName() throws IOException {
        Files.writeString(path.resolve(TWO), "2");
        Flight rename = start(o -> o.names(OperationType.RENAME, folder, ONE, TWO));
        assertResult(0, rename);
        assertEquals(OperationType.RENAME, rename.operation().type());
        assertEquals("1", content(TWO));
        assertFalse(Files.exists(path.resolve(ONE)));
        assertNamed("renameat", Errno.ENOENT, "one", start(o -> o.names(OperationType.RENAME, folder, ONE, TWO)));
    }

    @Test
    void renameMovesToAnotherDirectory() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        DirectoryHandle target = own(DirectoryHandle.open(elsewhere));
        assertResult(0, start(o -> o.rename(folder, ONE, target, TWO)));
        assertEquals("1", Files.readString(elsewhere.resolve(TWO)));
        assertResult(0, start(o -> o.rename(target, TWO, folder, ONE)));
        assertEquals("1", content(ONE));
        target.close();
        assertFails(Errno.EBADF, start(o -> o.rename(folder, ONE, target, TWO)));
        assertEquals("1", content(ONE));
    }

    /** The directory is the open one, wherever it has been moved. */
    @Test
    void namesAreLookedUpInTheOpenDirectory() throws IOException {
        Path moved = Files.move(path, directory.resolve("moved"));
        Files.writeString(Files.createDirectory(path).resolve(ONE), "another");
        assertResult(0, start(o -> o.name(OperationType.DELETE, folder, ONE)));
        assertFalse(Files.exists(moved.resolve(ONE)));
        assertEquals("another", content(ONE));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesAreKeptOrExchanged() throws IOException {
        Files.writeString(path.resolve(TWO), "2");
        assertNamed("renameat2", Errno.EEXIST, "one",
                start(o -> o.names(OperationType.RENAME_UNLESS_EXISTS, folder, ONE, TWO)));
        assertResult(0, start(o -> o.names(OperationType.EXCHANGE, folder, ONE, TWO)));
        assertEquals("2", content(ONE));
        assertEquals("1", content(TWO));
        Files.delete(path.resolve(TWO));
        assertNamed("renameat2", Errno.ENOENT, "one", start(o -> o.names(OperationType.EXCHANGE, folder, ONE, TWO)));
        assertResult(0, start(o -> o.names(OperationType.RENAME_UNLESS_EXISTS, folder, ONE, TWO)));
        assertEquals("2", content(TWO));
    }

    @Test
    void whatTheSystemLacksIsRefused() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.OPENBSD); DirectoryHandle there = DirectoryHandle.open(path)) {
            for (OperationType type : List.of(OperationType.RENAME_UNLESS_EXISTS, OperationType.EXCHANGE)) {
                assertRefused(UnsupportedOperationException.class, o -> o.names(type, there, ONE, TWO));
            }
        }
    }

    @Test
    void linksAreGivenAndTaken() throws IOException {
        assertResult(0, start(o -> o.names(OperationType.LINK, folder, ONE, TWO)));
        assertEquals("1", content(TWO));
        assertNamed("linkat", Errno.EEXIST, TWO.toString(),
                start(o -> o.names(OperationType.LINK, folder, ONE, TWO)));
        assertResult(0, start(o -> o.name(OperationType.DELETE, folder, ONE)));
        assertFalse(Files.exists(path.resolve(ONE)));
        assertNamed("unlinkat", Errno.ENOENT, "one", start(o -> o.name(OperationType.DELETE, folder, ONE)));
    }

    @Test
    void directoriesAreCreatedForcedAndDeleted() throws IOException {
        FileAttribute<?> mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        assertResult(0, start(o -> o.name(OperationType.CREATE_DIRECTORY, folder, TWO, mine)));
        assertEquals("rwx------", PosixFilePermissions.toString(expected(path.resolve(TWO)).permissions()));
        assertNamed("mkdirat", Errno.EEXIST, TWO.toString(),
                start(o -> o.name(OperationType.CREATE_DIRECTORY, folder, TWO)));
        Flight force = start(o -> o.forceDirectory(folder));
        assertResult(0, force);
        assertEquals(OperationType.FORCE_DIRECTORY, force.operation().type());
        Path inside = Files.createFile(path.resolve(TWO).resolve(ONE));
        assertNamed("unlinkat", Errno.ENOTEMPTY, TWO.toString(),
                start(o -> o.name(OperationType.DELETE_DIRECTORY, folder, TWO)));
        Files.delete(inside);
        assertResult(0, start(o -> o.name(OperationType.DELETE_DIRECTORY, folder, TWO)));
        assertFalse(Files.exists(path.resolve(TWO)));
        assertNamed("unlinkat", Errno.ENOTDIR, "one",
                start(o -> o.name(OperationType.DELETE_DIRECTORY, folder, ONE)));
    }

    private void assertNamed(String call, Errno error, String name, Flight failing) throws IOException {
        assertFails(error, failing);
        String message = failing.operation().error(failing.result()).getMessage();
        assertTrue(message.startsWith(call + " " + path + "/" + name + ": " + error), message);
    }

    // Opening

    @Test
    void aFileIsOpenedInADirectory() throws IOException {
        OpenOption[] options = {StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW};
        FileAttribute<?>[] mine = {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))};
        Flight open = start(o -> o.open(folder, TWO, options, mine));
        assertResult(0, open);
        open.file().write(ByteBuffer.wrap(new byte[] {'2'}), 0);
        assertEquals("2", content(TWO));
        assertEquals("rw-------", PosixFilePermissions.toString(expected(path.resolve(TWO)).permissions()));
        assertTrue(open.file().toString().contains(path.resolve(TWO).toString()), open.file()::toString);
        // io_uring would read such a file only if its content is in memory.
        int flags = Bindings.current().posix().fcntl(DemultiplexerContract.descriptor(open.file().handle()),
                FileConstants.F_GETFL, 0);
        assertEquals(0, flags & FileConstants.O_NONBLOCK);
        assertNamed("open", Errno.EEXIST, TWO.toString(), start(o -> o.open(folder, TWO, options, mine)));
    }

    @Test
    void aFileInADirectoryLosesItsName() throws IOException {
        OpenOption[] options = {StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW,
            StandardOpenOption.DELETE_ON_CLOSE};
        Flight open = start(o -> o.open(folder, TWO, options, NO_ATTRIBUTES));
        assertResult(0, open);
        assertFalse(Files.exists(path.resolve(TWO)));
        open.file().write(ByteBuffer.allocate(3), 0);
        assertEquals(3, open.file().size());
    }

    @Test
    void symbolicLinksAndFifosAreNotFollowedOrAwaited() throws Exception {
        Files.createSymbolicLink(path.resolve(TWO), ONE);
        // FreeBSD has a special error.
        Flight link = start(o -> o.open(folder, TWO, READ, NO_ATTRIBUTES));
        assertTrue(result(link) < 0);
        assertNull(link.file());
        assertEquals(0, new ProcessBuilder("mkfifo", path.resolve("fifo").toString()).inheritIO().start().waitFor());
        Path fifo = Path.of("fifo");
        assertFails(Errno.ENXIO,
                start(o -> o.open(folder, fifo, new OpenOption[] {StandardOpenOption.WRITE}, NO_ATTRIBUTES)));
        assertResult(0, start(o -> o.open(folder, fifo, READ, NO_ATTRIBUTES)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aPathBelowADirectoryIsOpened() throws IOException {
        Files.createSymbolicLink(path.resolve("up"), Path.of(".."));
        Path below = Files.createDirectory(path.resolve("below"));
        Files.writeString(below.resolve(ONE), "below");
        OpenOption[] beneath = {StandardOpenOption.READ, FileOption.BENEATH};
        Flight open = start(o -> o.open(folder, Path.of("below", "one"), beneath, NO_ATTRIBUTES));
        assertResult(0, open);
        ByteBuffer bytes = ByteBuffer.allocate(10);
        open.file().read(bytes, 0);
        assertArrayEquals("below".getBytes(), Arrays.copyOf(bytes.array(), 5));
        Flight outside = start(o -> o.open(folder, Path.of("up", "folder", "one"), beneath, NO_ATTRIBUTES));
        assertFails(Errno.EXDEV, outside);
    }

    // Refusals and ends

    private void assertRefused(Class<? extends Exception> with, Flight.Start start) throws IOException {
        Flight flight = flight();
        assertThrows(with, () -> flight.start(start));
        assertFalse(flight.operation().isInFlight());
        assertResult(1, flight.start(o -> o.post(1)));
    }

    @Test
    void whatIsNoSingleNameIsRefused() throws IOException {
        for (String text : List.of("", ".", "..", "a/b", "/a")) {
            Path name = Path.of(text);
            assertRefused(IllegalArgumentException.class, o -> o.name(OperationType.DELETE, folder, name));
            assertRefused(IllegalArgumentException.class, o -> o.names(OperationType.LINK, folder, name, TWO));
            assertRefused(IllegalArgumentException.class, o -> o.names(OperationType.RENAME, folder, ONE, name));
            assertRefused(IllegalArgumentException.class, o -> o.status(folder, name));
        }
        assertRefused(IllegalArgumentException.class, o -> o.open(folder, Path.of("a/b"), READ, NO_ATTRIBUTES));
        assertRefused(NullPointerException.class, o -> o.name(OperationType.DELETE, folder, null));
        assertRefused(NullPointerException.class, o -> o.names(OperationType.LINK, folder, ONE, null));
        assertRefused(NullPointerException.class, o -> o.status((DirectoryHandle) null, ONE));
        assertRefused(NullPointerException.class, o -> o.forceDirectory(null));
    }

    @Test
    void aDirectoryThatIsClosedBeforeIsAFailure() throws IOException {
        folder.close();
        assertFails(Errno.EBADF, start(o -> o.name(OperationType.DELETE, folder, ONE)));
        assertFails(Errno.EBADF, start(o -> o.forceDirectory(folder)));
        assertFails(Errno.EBADF, start(o -> o.status(folder, ONE)));
        assertFails(Errno.EBADF, start(o -> o.open(folder, ONE, READ, NO_ATTRIBUTES)));
        assertEquals("1", content(ONE));
    }

    /** Starts operations of each type on names and attributes, none of which waits for another one. */
    private List<Flight> many() throws IOException {
        for (int i = 0; i < MANY; i++) {
            for (NameChange change : NameChange.each(i)) {
                change.prepare(path, contents);
            }
        }
        Association file = associate(own(FileHandle.open(path.resolve(ONE))).handle());
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            for (NameChange change : NameChange.each(i)) {
                Flight flight = start(o -> change.start(o, folder));
                changes.put(flight, change);
                all.add(flight);
            }
            all.add(start(o -> o.status(folder, ONE)));
            all.add(start(o -> o.status(file)));
            all.add(start(o -> o.open(folder, ONE, READ, NO_ATTRIBUTES)));
        }
        all.add(start(o -> o.forceDirectory(folder)));
        return all;
    }

    /** The directory is closed when the last of them has completed, which the check after the test shows. */
    @Test
    void aDirectoryIsHeldOpenUntilTheCompletion() throws IOException {
        List<Flight> all = many();
        collect(0);
        folder.close();
        for (Flight flight : all) {
            assertTrue(result(flight) == 0 || Errno.EBADF.is(flight.result()),
                    () -> flight.operation().error(flight.result()).getMessage());
        }
    }

    @Test
    void cancelledOnesHaveTakenEffectOrNot() throws IOException {
        List<Flight> all = many();
        collect(0);
        all.forEach(flight -> flight.operation().cancel());
        for (Flight flight : all) {
            boolean done = !isCancelled(flight);
            assertEquals(done && flight.operation().type() == OperationType.OPEN, flight.file() != null);
            assertEquals(done && flight.operation().type() == OperationType.STATUS, flight.status() != null);
            if (done && changes.containsKey(flight)) {
                changes.get(flight).apply(contents);
            }
        }
        assertEquals(contents, NameChange.contents(path));
    }

    @Test
    void onesInFlightEndWithTheDemultiplexer() throws IOException {
        List<Flight> all = many();
        collect(0);
        demultiplexer.close();
        all.forEach(flight -> assertFalse(flight.operation().isInFlight()));
    }
}
