package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reading from pipes and writing to them. */
abstract class PipeContract extends OperationContract {

    /** More than a pipe holds, 64 KiB or 1 MiB. */
    private static final int MUCH = 3 << 20;
    private static final int ROUNDS = 100;

    private Pipe pipe;
    private Association source;
    private Association sink;

    PipeContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    void openPipe() throws IOException {
        pipe = own(Pipe.open());
        source = associate(pipe.source().handle());
        sink = associate(pipe.sink().handle());
    }

    private static ByteBuffer buffer(boolean direct, byte[] content) {
        return direct ? ByteBuffer.allocateDirect(content.length).put(content).flip() : ByteBuffer.wrap(content);
    }

    private static byte[] taken(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (boolean direct : new boolean[] {true, false}) {
            ByteBuffer written = buffer(direct, new byte[] {1, 2, 3});
            ByteBuffer read = buffer(direct, new byte[10]).clear();
            Flight reading = start(o -> o.readPipe(source, read));
            assertNoCompletion();
            assertResult(3, start(o -> o.writePipe(sink, written)));
            assertFalse(written.hasRemaining());
            assertResult(3, reading);
            assertArrayEquals(new byte[] {1, 2, 3}, taken(read));
        }
    }

    @Test
    void allIsWrittenHoweverLongItTakesToRead() throws IOException {
        byte[] much = Bytes.random(MUCH);
        for (boolean direct : new boolean[] {true, false}) {
            ByteBuffer written = buffer(direct, much);
            Flight writing = start(o -> o.writePipe(sink, written));
            collect(0);
            ByteBuffer all = ByteBuffer.allocate(MUCH);
            while (all.hasRemaining()) {
                ByteBuffer piece = buffer(direct, new byte[100_000]).clear();
                assertTrue(result(start(o -> o.readPipe(source, piece))) > 0);
                all.put(piece.flip());
            }
            assertResult(MUCH, writing);
            assertArrayEquals(much, all.array());
        }
    }

    @Test
    void nothingIsWrittenAtOnce() throws IOException {
        assertResult(0, start(o -> o.writePipe(sink, ByteBuffer.allocate(0))));
    }

    @Test
    void eachDirectionKeepsItsOrder() throws IOException {
        List<Flight> reads = new ArrayList<>();
        List<ByteBuffer> rooms = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuffer room = ByteBuffer.allocateDirect(1);
            rooms.add(room);
            reads.add(start(o -> o.readPipe(source, room)));
        }
        for (int i = 0; i < ROUNDS; i++) {
            byte each = (byte) i;
            start(o -> o.writePipe(sink, ByteBuffer.wrap(new byte[] {each})));
        }
        collectAll(reads);
        for (int i = 0; i < ROUNDS; i++) {
            assertEquals((byte) i, rooms.get(i).get(0));
        }
    }

    @Test
    void theEndComesWhenAllIsRead() throws IOException {
        pipe.sink().send(ByteBuffer.wrap(new byte[] {1, 2}));
        pipe.sink().close();
        assertResult(2, start(o -> o.readPipe(source, ByteBuffer.allocate(10))));
        assertResult(0, start(o -> o.readPipe(source, ByteBuffer.allocate(10))));
        assertResult(0, start(o -> o.readPipe(source, ByteBuffer.allocate(10))));
    }

    @Test
    void theEndComesToAReadThatWaits() throws IOException {
        Flight reading = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        assertNoCompletion();
        assertResult(0, start(o -> o.close(sink)));
        assertResult(0, reading);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aWriteThatNobodyCanReadFails() throws IOException {
        pipe.source().close();
        Flight writing = start(o -> o.writePipe(sink, ByteBuffer.wrap(new byte[] {1})));
        assertFails(Errno.EPIPE, writing);
        String message = writing.operation().error(writing.result()).getMessage();
        assertTrue(message.startsWith("write pipe sink") && message.contains("EPIPE"), message);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aWriteThatWaitsFailsWhenNobodyCanReadAnyMore() throws IOException {
        ByteBuffer much = ByteBuffer.allocateDirect(MUCH);
        Flight writing = start(o -> o.writePipe(sink, much));
        assertNoCompletion();
        pipe.source().close();
        assertFails(Errno.EPIPE, writing);
        assertTrue(much.position() < MUCH, "not all was written");
    }

    @Test
    void readsAreCancelled() throws IOException {
        Flight first = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        Flight second = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        Flight third = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        assertNoCompletion();
        second.operation().cancel();
        assertCancelled(second);
        first.operation().cancel();
        assertCancelled(first);
        pipe.sink().send(ByteBuffer.allocate(3));
        assertResult(3, third);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aWriteThatWaitsIsCancelled() throws IOException {
        ByteBuffer much = ByteBuffer.allocateDirect(MUCH);
        Flight writing = start(o -> o.writePipe(sink, much));
        assertNoCompletion();
        writing.operation().cancel();
        assertCancelled(writing);
        assertTrue(much.position() > 0 && much.position() < MUCH, much::toString);
        // What has been written is there, and no more.
        ByteBuffer all = ByteBuffer.allocate(MUCH);
        assertTrue(pipe.source().receive(all) > 0);
        while (pipe.source().receive(all) > 0) {
            assertTrue(all.hasRemaining());
        }
        assertEquals(much.position(), all.position());
    }

    @Test
    void theCloseOfAnEndCancels() throws IOException {
        Flight reading = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        assertNoCompletion();
        pipe.source().close();
        assertCancelled(reading);
        Flight late = start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        assertCancelled(late);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void theCloseOfAWaitingEndByAnOperationCancels() throws IOException {
        Flight writing = start(o -> o.writePipe(sink, ByteBuffer.allocateDirect(MUCH)));
        collect(0);
        assertResult(0, start(o -> o.close(sink)));
        assertCancelled(writing);
        assertFalse(pipe.sink().handle().isOpen());
    }

    @Test
    void theEndOfTheDemultiplexerLeavesThePipeAlone() throws IOException {
        start(o -> o.readPipe(source, ByteBuffer.allocateDirect(10)));
        collect(0);
        demultiplexer.close();
        assertEquals(1, pipe.sink().send(ByteBuffer.allocate(1)));
        assertEquals(1, pipe.source().receive(ByteBuffer.allocate(1)));
    }
}
