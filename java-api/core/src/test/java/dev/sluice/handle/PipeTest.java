package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class PipeTest extends LeakChecked {

    @Test
    void everyKindOfBufferCarries() throws Exception {
        Pipe pipe = own(Pipe.open());
        byte length = 1;
        for (BufferKind sending : BufferKind.values()) {
            for (BufferKind receiving : BufferKind.values()) {
                ByteBuffer destination = receiving.empty(100);
                if (receiving.isWritable()) {
                    byte[] content = Bytes.random(length++);
                    assertEquals(content.length, pipe.send(sending.of(content)));
                    assertEquals(content.length, pipe.receive(destination));
                    assertArrayEquals(content, receiving.received(destination), sending + " to " + receiving);
                } else {
                    assertThrows(IllegalArgumentException.class, () -> pipe.receive(destination));
                }
            }
        }
    }

    @Test
    void receiveReturnsZeroAndThenTheEnd() throws Exception {
        Pipe pipe = own(Pipe.open());
        ByteBuffer destination = ByteBuffer.allocate(10);
        assertEquals(0, pipe.receive(destination));
        assertEquals(0, pipe.send(ByteBuffer.allocate(0)));
        pipe.send(Bytes.heap("last"));
        pipe.sink().close();
        assertEquals(0, pipe.receive(ByteBuffer.allocate(0)));
        assertEquals(4, pipe.receive(destination));
        assertEquals("last", Bytes.text(destination));
        assertEquals(SocketStream.END_OF_STREAM, pipe.receive(destination));
        assertEquals(SocketStream.END_OF_STREAM, pipe.receive(destination));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void brokenPipe() throws Exception {
        Pipe pipe = own(Pipe.open());
        pipe.source().close();
        SystemCallException e = assertThrows(SystemCallException.class, () -> pipe.send(Bytes.heap("x")));
        assertEquals("write " + pipe.sink() + ": EPIPE (broken pipe)", e.getMessage());
        assertEquals("EPIPE", e.errorName());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void fullPipeTakesAPartAndThenNothing() throws Exception {
        Pipe pipe = own(Pipe.open());
        byte[] content = Bytes.random(4_000_000);
        ByteBuffer source = Bytes.direct(content);
        int taken = pipe.send(source);
        assertTrue(taken > 0 && taken < content.length, () -> "took " + taken);
        assertEquals(taken, source.position());
        assertEquals(0, pipe.send(source));
        assertEquals(taken, source.position());

        ByteBuffer received = ByteBuffer.allocate(content.length);
        while (received.hasRemaining()) {
            pipe.receive(received);
            pipe.send(source);
        }
        assertArrayEquals(content, received.array());
    }

    @Test
    void sinkIsClosedIfTheCloseOfTheSourceFails() throws Exception {
        Pipe pipe = own(Pipe.open());
        IllegalStateException failure = new IllegalStateException("thrown by the test");
        Descriptors.of(pipe.source()).addCloseListener(handle -> {
            throw failure;
        });
        assertSame(failure, assertThrows(IllegalStateException.class, pipe::close));
        assertFalse(pipe.source().isOpen());
        assertFalse(pipe.sink().isOpen());
    }

    @Test
    void useAfterTheClose() throws Exception {
        Pipe pipe = own(Pipe.open());
        pipe.close();
        pipe.close();
        assertThrows(HandleClosedException.class, () -> pipe.send(Bytes.heap("x")));
        assertThrows(HandleClosedException.class, () -> pipe.receive(ByteBuffer.allocate(1)));
        assertTrue(pipe.source().toString().startsWith("pipe source (fd "), pipe.source()::toString);
    }
}
