package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Opening files, and closing handles. */
@Tag(Depth.TRANSFER)
abstract class FileOpenContract extends OperationContract {

    private static final int ROUNDS = 200;
    /** More than a demultiplexer's threads for blocking operations. */
    private static final int WAITING_OPENS = 10;

    FileOpenContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    void opensToRead() throws IOException {
        Path path = Files.write(directory.resolve("file \u00e4\u20ac"), new byte[] {1, 2, 3});
        Flight open = start(o -> o.open(path));
        assertResult(0, open);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        assertEquals(3, open.file().read(buffer, 0));
        assertTrue(open.file().toString().contains(path.toString()), open.file()::toString);
    }

    @Test
    void deleteOnCloseRemovesTheName() throws IOException {
        Path path = directory.resolve("file");
        Flight open = start(o -> o.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.DELETE_ON_CLOSE));
        assertResult(0, open);
        open.file().write(ByteBuffer.allocate(3), 0);
        assertEquals(CalledSystem.isWindows(), Files.exists(path));
        open.file().close();
        assertFalse(Files.exists(path));
        // The name of a link is kept.
        if (!CalledSystem.isWindows()) {
            Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createFile(path).getFileName());
            Flight refused = start(o -> o.open(link, StandardOpenOption.DELETE_ON_CLOSE));
            assertTrue(result(refused) < 0);
            assertTrue(Files.isSymbolicLink(link));
            assertTrue(Files.exists(path));
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void opensAFileWithoutAName() throws IOException {
        Flight open = start(o -> o.open(directory, StandardOpenOption.WRITE, FileOption.TMPFILE));
        assertResult(0, open);
        open.file().write(ByteBuffer.allocate(3), 0);
        assertEquals(3, open.file().size());
        try (var names = Files.list(directory)) {
            assertEquals(0, names.count());
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void newFileHasThePermissions() throws IOException {
        Path path = directory.resolve("file");
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rwxr-x--x");
        Flight open = start(o -> o.open(path,
                new OpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW},
                new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}));
        assertResult(0, open);
        assertEquals(permissions, Files.getPosixFilePermissions(path));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void beneathRejectsPathsOutOfTheDirectory() throws IOException {
        assertResult(-Errno.EXDEV.number(), start(o -> o.open(Path.of(".."), FileOption.BENEATH)));
        Flight open = start(o -> o.open(Path.of("."), FileOption.BENEATH));
        assertResult(0, open);
        Path absolute = directory;
        assertThrows(IllegalArgumentException.class, () -> start(o -> o.open(absolute, FileOption.BENEATH)));
    }

    @Test
    void alignedDirectTransfersSucceed() throws IOException {
        Path path = directory.resolve("file");
        Flight open = start(o -> o.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, FileOption.DIRECT));
        assertResult(0, open);
        FileAlignment alignment = open.file().directAlignment();
        int unit = Math.max(alignment.write(), alignment.memory());
        Association where = associate(open.file().handle());
        ByteBuffer[] both = {alignment.allocate(unit).put(0, (byte) 1), alignment.allocate(unit).put(0, (byte) 2)};
        assertResult(2 * unit, start(o -> o.transfer(OperationType.WRITE, where, both, 0, 2, 0, true)));
        ByteBuffer in = alignment.allocate(2 * unit);
        assertResult(2 * unit, start(o -> o.transfer(OperationType.READ, where, in, 0, false)));
        assertEquals(1, in.get(0));
        assertEquals(2, in.get(unit));
        in.clear();
        for (ByteBuffer wrong : List.of(in.slice(0, unit + 1), ByteBuffer.allocate(unit))) {
            for (OperationType type : List.of(OperationType.READ, OperationType.WRITE,
                    OperationType.WRITE_AND_FORCE_DATA)) {
                assertThrows(IllegalArgumentException.class,
                        () -> start(o -> o.transfer(type, where, wrong, 0, false)));
                assertThrows(IllegalArgumentException.class, () -> start(o -> o.transfer(type, where,
                        new ByteBuffer[] {in, wrong}, 0, 2, 0, false)));
            }
        }
        assertThrows(IllegalArgumentException.class,
                () -> start(o -> o.transfer(OperationType.READ, where, in, 1, false)));
    }

    /** No string denotes this file: a byte that is not UTF-8 becomes U+FFFD, which is the name of another file. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void opensByTheBytesOfAName() throws IOException {
        Path path = Files.write(Path.of(URI.create(directory.toUri() + "%ff")), new byte[] {1, 2, 3});
        Files.write(directory.resolve("\ufffd"), new byte[] {4});
        Flight open = start(o -> o.open(path));
        assertResult(0, open);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        assertEquals(3, open.file().read(buffer, 0));
    }

    @Test
    void fileOfAnotherFileSystemIsRejected() {
        Flight open = flight();
        Path module = Path.of(URI.create("jrt:/java.base"));
        assertThrows(ProviderMismatchException.class, () -> open.start(o -> o.open(module)));
        assertFalse(open.operation().isInFlight());
    }

    @Test
    void createsToWrite() throws IOException {
        Path path = directory.resolve("new");
        Flight open = start(o -> o.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        assertResult(0, open);
        assertEquals(1, open.file().write(ByteBuffer.wrap(new byte[] {9}), 0));
        assertArrayEquals(new byte[] {9}, Files.readAllBytes(path));
        Flight again = start(o -> o.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        assertFails(Errno.EEXIST, again);
        Flight cut = start(o -> o.open(path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
        assertResult(0, cut);
        assertEquals(0, Files.size(path));
    }

    @Test
    void failureNamesCallErrorAndPath() throws IOException {
        Path path = directory.resolve("missing");
        Flight open = start(o -> o.open(path));
        assertFails(Errno.ENOENT, open);
        assertNull(open.file());
        String message = open.operation().error(open.result()).getMessage();
        assertTrue(message.startsWith("open ") && message.contains("ENOENT") && message.contains(path.toString()),
                message);
        assertFails(CalledSystem.isWindows() ? Errno.EACCES : Errno.EISDIR,
                start(o -> o.open(directory, StandardOpenOption.WRITE)));
    }

    @Test
    void unknownOptionIsRefused() {
        Flight open = flight();
        assertThrows(UnsupportedOperationException.class,
                () -> open.start(o -> o.open(directory, StandardOpenOption.SPARSE)));
        assertFalse(open.operation().isInFlight());
    }

    /** An opened file is either delivered or closed, which the check of descriptors after the test shows. */
    @Test
    void cancelledOperationLeaksNoDescriptor() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        List<Flight> opens = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Flight open = start(o -> o.open(path));
            if (round % 2 == 0) {
                collect(0);
            }
            open.operation().cancel();
            opens.add(open);
        }
        for (Flight open : opens) {
            assertEquals(isCancelled(open), open.file() == null);
        }
    }

    @Test
    void onesInFlightAtTheCloseLeakNoDescriptor() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        for (int round = 0; round < ROUNDS; round++) {
            start(o -> o.open(path));
        }
        collect(0);
        demultiplexer.close();
    }

    @Test
    void manyAreOpenedAtOnce() throws IOException {
        List<Flight> opens = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Path path = Files.write(directory.resolve("file" + i), new byte[] {(byte) i});
            opens.add(start(o -> o.open(path)));
        }
        for (int i = 0; i < ROUNDS; i++) {
            assertResult(0, opens.get(i));
            ByteBuffer content = ByteBuffer.allocate(1);
            opens.get(i).file().read(content, 0);
            assertEquals((byte) i, content.get(0));
        }
    }

    /** Opening a FIFO waits until its other end is opened. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void onesThatWaitHoldUpNothingElse() throws Exception {
        Path fifo = fifo();
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[] {7}),
                StandardOpenOption.READ, StandardOpenOption.WRITE));
        List<Flight> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_OPENS; i++) {
            waiting.add(start(o -> o.open(fifo)));
        }
        collect(0);
        Association where = associate(file.handle());
        ByteBuffer content = ByteBuffer.allocate(1);
        try {
            assertResult(1, start(o -> o.read(where, content, 0)));
            assertEquals(7, content.get(0));
            assertResult(1, start(o -> o.write(where, ByteBuffer.wrap(new byte[] {8}), 0)));
            assertResult(0, start(o -> o.force(where)));
            assertResult(0, start(o -> o.close(where)));
        } finally {
            // An open for both directions does not wait (fifo(7)), and ends the waits of the others.
            own(FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE));
        }
        for (Flight open : waiting) {
            assertResult(0, open);
        }
    }

    /** {@return a FIFO whose other end is not opened} */
    private Path fifo() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        return fifo;
    }

    /** An open of a FIFO for both directions does not wait (fifo(7)), and ends the waits for its other end. */
    private void closeAndLetOpen(Path fifo) throws Exception {
        demultiplexer.close();
        // Files opened after that are closed, which the check after the test shows.
        try (FileHandle both = FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertTrue(both.handle().isOpen());
            awaitEndOfThreads();
        }
    }

    /** Half of them with CREATE, which even io_uring does not try to open without blocking. */
    private List<Flight> waitingOpens(Path fifo) throws IOException {
        List<Flight> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_OPENS / 2; i++) {
            waiting.add(start(o -> o.open(fifo, StandardOpenOption.WRITE, StandardOpenOption.CREATE)));
        }
        for (int i = 0; i < WAITING_OPENS / 2; i++) {
            waiting.add(start(o -> o.open(fifo, StandardOpenOption.READ)));
        }
        return waiting;
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void oneThatWaitsIsCancelled() throws Exception {
        Path fifo = fifo();
        Flight waiting = start(o -> o.open(fifo, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
        assertNoCompletion();
        waiting.operation().cancel();
        assertCancelled(waiting);
        assertNull(waiting.file());
        // A cancelled open must not affect what the same operation does next, whether it still opens the file or not.
        Path file = Files.createFile(directory.resolve("file"));
        assertResult(0, waiting.start(o -> o.open(file)));
        assertTrue(waiting.file().toString().contains(file.toString()), waiting.file()::toString);
        closeAndLetOpen(fifo);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void onesThatWaitHoldUpNoClose() throws Exception {
        Path fifo = fifo();
        List<Flight> waiting = waitingOpens(fifo);
        collect(0);
        demultiplexer.close();
        for (Flight open : waiting) {
            assertFalse(open.operation().isInFlight());
        }
        closeAndLetOpen(fifo);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void onesThatWaitAreCollectedAfterTheShutdown() throws Exception {
        Path fifo = fifo();
        List<Flight> waiting = waitingOpens(fifo);
        collect(0);
        demultiplexer.shutdown();
        for (Flight open : waiting) {
            result(open);
        }
        assertEquals(0, demultiplexer.inFlight());
        closeAndLetOpen(fifo);
    }

    @Test
    void closesAFile() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        Flight open = start(o -> o.open(path));
        assertResult(0, open);
        int descriptor = DemultiplexerContract.descriptor(open.file().handle());
        Association where = associate(open.file().handle());
        assertResult(0, start(o -> o.close(where)));
        assertFalse(open.file().handle().isOpen());
        if (OpenDescriptors.areShown()) {
            assertTrue(OpenDescriptors.link(descriptor).isEmpty());
        }
    }

    @Test
    void closeOfASocketFollowsOperationsInFlight() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(10)));
        Flight poll = start(o -> o.poll(where, EventType.READ));
        assertNoCompletion();
        Flight close = start(o -> o.close(where));
        assertResult(0, close);
        assertCancelled(receive);
        assertCancelled(poll);
        assertFalse(pair.near().handle().isOpen());
        Peer.assertEnd(pair.far());
        assertCancelled(receive.start(o -> o.receive(where, ByteBuffer.allocateDirect(10))));
    }

    @Test
    void closesAPipesEnd() throws IOException {
        Pipe pipe = own(Pipe.open());
        Association where = associate(pipe.sink());
        assertResult(0, start(o -> o.close(where)));
        assertEquals(-1, pipe.receive(ByteBuffer.allocate(1)));
    }

    @Test
    void closingTwiceClosesOnce() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight first = start(o -> o.close(where));
        Flight second = start(o -> o.close(where));
        assertResult(0, first);
        result(second);
        try (Pipe stranger = Pipe.open()) {
            assertCancelled(first.start(o -> o.close(where)));
            assertEquals(1, stranger.send(ByteBuffer.allocate(1)));
            assertEquals(1, stranger.receive(ByteBuffer.allocate(1)));
        }
    }
}
