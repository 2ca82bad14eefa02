package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Buffers in an arena that the program can close, even while an operation uses them. Then the memory may have been
 * allocated again, and must not be accessed. Here it is a buffer of the test, which shows whether it has been changed.
 */
abstract class SharedArenaContract extends OperationContract {

    private static final int SIZE = 64;
    private static final int MUCH = 4 * 1024 * 1024;
    private static final int SEVERAL_PARTS = 1024 * 1024;
    private static final byte PATTERN = 0x5A;
    private static final byte[] PAINTED = new byte[SIZE];

    static {
        Arrays.fill(PAINTED, PATTERN);
    }

    private AutoCloseable arena;
    private ByteBuffer memory;
    private StreamPair pair;
    private Association where;

    SharedArenaContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void connect() throws Exception {
        ForeignMemory.assumeThere();
        arena = ForeignMemory.arena("ofShared");
        pair = Peer.narrow(pair(StreamKind.TCP));
        where = associate(pair.near());
    }

    /** {@return a buffer over the whole arena} */
    private ByteBuffer buffer(int size) throws Exception {
        memory = ByteBuffer.allocateDirect(size);
        paint();
        return ForeignMemory.view(memory, arena);
    }

    private void paint() {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, PATTERN);
        }
    }

    /** Asserts that the operation fails because the arena is closed, and that the memory is unchanged. */
    private void assertFailsUntouched(Flight flight) throws IOException {
        assertTrue(collect(PATIENCE.toNanos()) == 1 && flight.isDone(), () -> "no completion of " + flight);
        Completion completion = completions.get(0);
        assertEquals(Errno.EIO, Errno.of(completions.result(0)), flight::toString);
        assertNotNull(completion.error().getCause(), () -> "nothing says why " + flight + " fails");
        assertUntouched();
    }

    private void assertUntouched() {
        for (int i = 0; i < memory.capacity(); i++) {
            assertEquals(PATTERN, memory.get(i), "memory that belongs to others has been overwritten");
        }
    }

    @Test
    void transfersWhileItIsOpen() throws Exception {
        ByteBuffer buffer = buffer(SIZE);
        Flight receive = start(o -> o.receive(where, buffer.slice(8, 8)));
        Peer.send(pair.far(), (byte) 1, (byte) 2);
        assertResult(2, receive);
        assertEquals(1, buffer.get(8));
        ByteBuffer[] several = {buffer.duplicate().limit(1), ByteBuffer.allocateDirect(1),
            buffer.duplicate().position(2)};
        Flight scattered = start(o -> o.receive(where, several, 0, 3));
        Peer.send(pair.far(), (byte) 3, (byte) 4, (byte) 5, (byte) 6);
        assertResult(4, scattered);
        assertBytes(new byte[] {3, PATTERN, 5, 6}, Arrays.copyOf(Bytes.before(buffer.duplicate().position(4)), 4));
        assertEquals(4, several[1].get(0));
        assertResult(2, start(o -> o.send(where, buffer.duplicate().position(2).limit(4), true)));
        assertBytes(new byte[] {5, 6}, Peer.receive(pair.far(), 2));
    }

    @Test
    void aReceiveOutlivesIt() throws Exception {
        ByteBuffer buffer = buffer(SIZE);
        Flight receive = flight();
        // At the second and third start the buffer is already known.
        for (int round = 0; round < 3; round++) {
            receive.start(o -> o.receive(where, buffer.clear()));
            Peer.send(pair.far(), (byte) 1);
            assertResult(1, receive);
        }
        paint();
        receive.start(o -> o.receive(where, buffer.clear()));
        assertNoCompletion();
        arena.close();
        Peer.send(pair.far(), Bytes.of("OVERWRITTEN"));
        assertFailsUntouched(receive);
        assertResult(1, start(o -> o.send(where, ByteBuffer.allocate(1), true)));
    }

    @Test
    void aScatteredReceiveOutlivesIt() throws Exception {
        ByteBuffer buffer = buffer(SIZE);
        ByteBuffer[] several = {ByteBuffer.allocateDirect(1), buffer.slice(8, 8), ByteBuffer.allocate(1)};
        Flight receive = start(o -> o.receive(where, several, 0, 3));
        assertNoCompletion();
        arena.close();
        Peer.send(pair.far(), Bytes.of("OVERWRITTEN"));
        assertFailsUntouched(receive);
    }

    /** The buffer's memory was determined when it was empty and nothing had to be accessed. */
    @Test
    void emptyBufferOutlivesTheArena() throws Exception {
        ByteBuffer buffer = buffer(SIZE);
        Flight send = flight();
        for (int round = 0; round < 3; round++) {
            assertResult(0, send.start(o -> o.send(where, buffer.clear().limit(0), true)));
        }
        send.start(o -> o.send(where, buffer.clear(), true));
        arena.close();
        memory.put(0, new byte[SIZE]);
        long result = result(send);
        assertTrue(result == SIZE || Errno.EIO.is(result), send::toString);
        if (result == SIZE) {
            assertBytes(PAINTED, Peer.receive(pair.far(), SIZE));
        }
        assertThrows(IllegalStateException.class, () -> send.start(o -> o.send(where, buffer.clear().limit(0), true)));
    }

    @Test
    void aDatagramOutlivesIt() throws Exception {
        SocketDatagram near = own(SocketDatagram.open(StreamPair.loopback()));
        SocketDatagram far = own(SocketDatagram.open(StreamPair.loopback()));
        Association nearEnd = associate(near.handle());
        ByteBuffer buffer = buffer(SIZE);
        Flight receive = start(o -> o.receiveFrom(nearEnd, buffer, null));
        assertNoCompletion();
        arena.close();
        assertTrue(far.send(ByteBuffer.wrap(Bytes.of("OVERWRITTEN")), near.localAddress()));
        assertFailsUntouched(receive);
    }

    @Test
    void aReadOfAFileOutlivesIt() throws Exception {
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), Bytes.random(SIZE))));
        Association association = associate(file.handle());
        ByteBuffer buffer = buffer(SIZE);
        Flight read = start(o -> o.read(association, buffer, 0));
        arena.close();
        // Another thread may already have read it.
        paint();
        long result = result(read);
        assertTrue(result == SIZE || Errno.EIO.is(result), read::toString);
        assertUntouched();
    }

    @Test
    void aScatteredReadOfAFileOutlivesIt() throws Exception {
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), Bytes.random(2 * SIZE))));
        Association association = associate(file.handle());
        ByteBuffer buffer = buffer(SIZE);
        ByteBuffer[] several = {ByteBuffer.allocateDirect(1), buffer, ByteBuffer.allocate(1)};
        Flight read = start(o -> o.read(association, several, 0, 3, 0));
        arena.close();
        // Another thread may already have read it.
        paint();
        long result = result(read);
        assertTrue(result == SIZE + 2 || Errno.EIO.is(result), read::toString);
        assertUntouched();
    }

    private Association associateNew(Path path) throws IOException {
        FileHandle file = own(FileHandle.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
        return associate(file.handle());
    }

    /** Either the bytes copied before are written, or nothing is. */
    @ParameterizedTest
    @EnumSource(names = {"WRITE", "WRITE_AND_FORCE_DATA"})
    void aWriteToAFileOutlivesIt(OperationType how) throws Exception {
        Path path = directory.resolve("file");
        Association association = associateNew(path);
        ByteBuffer buffer = buffer(SIZE);
        Flight write = start(o -> o.transfer(how, association, buffer, 0, true));
        arena.close();
        memory.put(0, new byte[SIZE]);
        long result = result(write);
        assertTrue(result == SIZE || Errno.EIO.is(result), write::toString);
        assertBytes(result == SIZE ? PAINTED : new byte[0], Files.readAllBytes(path));
    }

    /** Of several buffers, that of the arena in the middle. */
    @ParameterizedTest
    @EnumSource(names = {"WRITE", "WRITE_AND_FORCE_DATA"})
    void aGatheredWriteToAFileOutlivesIt(OperationType how) throws Exception {
        Path path = directory.resolve("file");
        Association association = associateNew(path);
        ByteBuffer buffer = buffer(SIZE);
        ByteBuffer[] several = {ByteBuffer.allocateDirect(1).put(0, PATTERN), buffer,
            ByteBuffer.wrap(new byte[] {PATTERN})};
        Flight write = start(o -> o.transfer(how, association, several, 0, 3, 0, true));
        arena.close();
        memory.put(0, new byte[SIZE]);
        assertWrittenAsItWas(SIZE + 2, result(write), path);
    }

    /** Its bytes are copied a part at a time: those copied before the close are written, and no others. */
    @ParameterizedTest
    @EnumSource(names = {"WRITE", "WRITE_AND_FORCE_DATA"})
    void aLongWriteToAFileOutlivesIt(OperationType how) throws Exception {
        Path path = directory.resolve("file");
        Association association = associateNew(path);
        ByteBuffer buffer = buffer(SEVERAL_PARTS);
        Flight write = start(o -> o.transfer(how, association, buffer, 0, true));
        // Begins it.
        collect(0);
        arena.close();
        memory.put(0, new byte[SEVERAL_PARTS]);
        assertWrittenAsItWas(SEVERAL_PARTS, result(write), path);
    }

    private static void assertWrittenAsItWas(int size, long result, Path path) throws IOException {
        byte[] written = Files.readAllBytes(path);
        assertTrue(result == size || Errno.EIO.is(result), () -> "result " + result);
        assertTrue(result == size ? written.length == size : written.length < size,
                () -> written.length + " bytes are written, and the result is " + result);
        byte[] painted = new byte[written.length];
        Arrays.fill(painted, PATTERN);
        // Anything else would be memory that belongs to others.
        assertBytes(painted, written);
    }

    /** Only bytes copied before the close are sent; the rest is missing. */
    @Test
    void aSendOutlivesIt() throws Exception {
        ByteBuffer buffer = buffer(MUCH);
        Flight send = start(o -> o.send(where, buffer, true));
        assertNoCompletion();
        arena.close();
        memory.put(0, new byte[MUCH]);
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        assertFails(Errno.EIO, send);
        pair.near().shutdownOutput();
        for (byte each : finish(receiver)) {
            assertEquals(PATTERN, each, "memory that belongs to others has been sent");
        }
    }

    @Test
    void headAndTailOfAFileOutliveIt() throws Exception {
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[MUCH])));
        ByteBuffer buffer = buffer(2 * SIZE);
        Flight transmission = start(o -> o.transmitFile(where, file, 0, MUCH, buffer.slice(0, SIZE),
                buffer.slice(SIZE, SIZE)));
        assertNoCompletion();
        arena.close();
        memory.put(0, new byte[2 * SIZE]);
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        collectAll(List.of(transmission));
        pair.near().shutdownOutput();
        byte[] received = finish(receiver);
        assertEquals(MUCH + 2 * SIZE, received.length);
        for (int i = 0; i < SIZE; i++) {
            assertEquals(PATTERN, received[i], "memory that belongs to others has been sent");
            assertEquals(PATTERN, received[received.length - 1 - i], "memory that belongs to others has been sent");
        }
    }
}
