package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Misuse of received buffers is found, and named, where that has been asked for. */
class BufferCheckTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final NotingHandler handler = new NotingHandler();
    private PrintStream before;
    private Proactor checked;
    private SocketStream peer;

    @BeforeEach
    void connect() throws IOException {
        assertNull(proactor.check);
        before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        System.setProperty(BufferCheck.PROPERTY, "true");
        checked = own(Proactor.open(demultiplexer));
        peer = own(SocketConnector.connect(AsyncAcceptor.listen(checked, ANY_PORT, () -> handler).localAddress(),
                LIMIT));
    }

    @AfterEach
    void restore() {
        System.clearProperty(BufferCheck.PROPERTY);
        System.setErr(before);
    }

    private String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    private void run(BooleanSupplier until) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!until.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "it does not happen");
            checked.runOnce(Duration.ofMillis(10));
        }
    }

    private void send(String text) throws IOException {
        peer.sendFully(ByteBuffer.wrap(Bytes.of(text)), LIMIT);
    }

    /** Sends a byte, and runs the loop until it has been received. */
    private void exchange() throws IOException {
        int count = handler.count();
        send("x");
        run(() -> handler.count() > count);
    }

    private void assertMisuse(String message, String place, Executable misuse) {
        IllegalStateException thrown = assertThrows(IllegalStateException.class, misuse);
        assertTrue(thrown.getMessage().startsWith(message + ": "), thrown::getMessage);
        assertTrue(thrown.getMessage().contains(String.valueOf(handler.stream)), thrown::getMessage);
        assertEquals(place, thrown.getCause() == null ? null : thrown.getCause().getMessage());
    }

    @Test
    void bufferIsFoundToBeUsedLateAlsoWhenItsMemoryIsInUseAgain() throws Exception {
        List<ProvidedBuffer> late = new ArrayList<>();
        List<ByteBuffer> views = new ArrayList<>();
        handler.onReceived((stream, buffer) -> {
            views.add(buffer.bytes().duplicate());
            views.add(buffer.bytes());
            late.add(buffer);
            handler.take(buffer.bytes());
            for (ProvidedBuffer each : late.subList(0, late.size() - 1)) {
                assertMisuse("bytes: the buffer was released when received() returned; call retain() inside the hook",
                        null, each::bytes);
                assertThrows(IllegalStateException.class, each::retain);
            }
        });
        for (int i = 0; i < 3; i++) {
            exchange();
        }
        assertNull(handler.failure);
        assertFalse(views.get(1).hasRemaining());
        assertThrows(IndexOutOfBoundsException.class, () -> views.get(1).get(0));
        assertTrue(views.get(0).get(0) != 'x', "the bytes are still there");
    }

    @Test
    void retainedBufferHasOneOwner() throws Exception {
        List<RetainedBuffer> retained = new ArrayList<>();
        handler.onReceived((stream, buffer) -> {
            ByteBuffer bytes = buffer.bytes();
            handler.take(bytes);
            retained.add(buffer.retain());
            assertMisuse("bytes: the buffer has been retained or sent; it belongs to the new owner",
                    "retained or sent here", buffer::bytes);
        });
        exchange();
        exchange();
        RetainedBuffer closed = retained.get(0);
        assertFalse(closed.bytes().hasRemaining());
        closed.close();
        String released = "the buffer has been closed or sent before; close or send a retained buffer once";
        assertMisuse("close: " + released, "closed here", closed::close);
        assertMisuse("bytes: " + released, "closed here", closed::bytes);
        RetainedBuffer sent = retained.get(1);
        sent.bytes().flip();
        assertTrue(handler.stream.send(sent));
        assertMisuse("bytes: " + released, "sent here", sent::bytes);
        assertMisuse("close: " + released, "sent here", sent::close);
        assertMisuse("send: " + released, "sent here", () -> handler.stream.send(sent));
        run(() -> handler.stream.sentBytes() == 1);
        assertEquals("x", receive());
        checked.close();
        assertFalse(log().contains("a retained buffer"), this::log);
    }

    private String receive() throws IOException {
        ByteBuffer received = ByteBuffer.allocate(1);
        peer.receiveFully(received, LIMIT);
        return text(received.flip());
    }

    @Test
    void whatIsHeldWhileTheInputIsPausedIsChecked() throws Exception {
        List<ProvidedBuffer> late = new ArrayList<>();
        handler.onReceived((stream, buffer) -> {
            late.add(buffer);
            handler.take(buffer.bytes());
            stream.pauseInput();
        });
        exchange();
        send("held");
        run(() -> handler.stream.receivedBytes() == 5);
        handler.stream.loop().execute(handler.stream::resumeInput);
        run(() -> handler.count() == 5);
        assertMisuse("bytes: the buffer was released when received() returned; call retain() inside the hook", null,
                late.get(1)::bytes);
    }

    @Test
    void bufferThatTheProgramLosesIsReported() throws Exception {
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            if (handler.count() == 1) {
                buffer.retain();
            }
        });
        exchange();
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!log().contains("has been lost")) {
            assertTrue(System.nanoTime() - end < 0, this::log);
            System.gc();
            exchange();
        }
        assertReported("has been lost");
    }

    @Test
    void bufferThatIsOpenWhenTheProactorClosesIsReported() throws Exception {
        List<RetainedBuffer> retained = new ArrayList<>();
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            retained.add(buffer.retain());
        });
        exchange();
        checked.close();
        assertReported("was open when the proactor was closed");
        assertThrows(IllegalStateException.class, retained.get(0)::bytes);
        retained.get(0).close();
    }

    private void assertReported(String what) {
        assertTrue(log().contains("a retained buffer of " + handler.stream + " " + what
                + "; close or send each retained buffer"), this::log);
        assertTrue(log().contains("retained here"), this::log);
        assertTrue(log().contains(getClass().getName()), this::log);
    }
}
