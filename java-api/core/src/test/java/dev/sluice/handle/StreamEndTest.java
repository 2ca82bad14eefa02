package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways a connection ends: by a half-close, in order, by a reset, or by a close during its use. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class StreamEndTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void halfCloseLeavesTheOtherDirectionOpen(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().send(Bytes.heap("last words"));
        pair.client().shutdownOutput();
        ByteBuffer destination = ByteBuffer.allocate(100);
        assertEquals(false, pair.server().receiveFully(destination, Patience.LIMIT));
        assertEquals("last words", Bytes.text(destination));

        ByteBuffer answer = ByteBuffer.allocate(6);
        StreamPair.carry(pair.server(), Bytes.heap("answer"), pair.client(), answer);
        assertEquals("answer", Bytes.text(answer));
        pair.server().shutdownOutput();
        Patience.awaitReadable(pair.client());
        assertEquals(SocketStream.END_OF_STREAM, pair.client().receive(answer.clear()));
    }

    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void shutInputDeliversWhatIsThereAndThenEnds(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().send(Bytes.heap("here"));
        Patience.awaitReadable(pair.server());
        pair.server().shutdownInput();
        ByteBuffer destination = ByteBuffer.allocate(10);
        assertEquals(4, pair.server().receive(destination));
        assertEquals(SocketStream.END_OF_STREAM, pair.server().receive(destination));
        assertEquals(2, pair.server().send(Bytes.heap("ok")));
    }

    @ParameterizedTest
    @EnumSource
    void unreadDataOutrankTheEndOfTheStream(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().send(Bytes.heap("unread"));
        pair.client().close();
        ByteBuffer three = ByteBuffer.allocateDirect(3);
        assertTrue(pair.server().receiveFully(three, Patience.LIMIT));
        assertEquals("unr", Bytes.text(three));
        assertTrue(pair.server().receiveFully(three.clear(), Patience.LIMIT));
        assertEquals("ead", Bytes.text(three));
        Patience.awaitReadable(pair.server());
        assertEquals(SocketStream.END_OF_STREAM, pair.server().receive(three.clear()));
        assertEquals(SocketStream.END_OF_STREAM, pair.server().receive(new ByteBuffer[] {three}, 0, 1));
    }

    @ParameterizedTest
    @EnumSource
    void resetByPeer(Transport transport) throws Exception {
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        StreamPair pair = own(transport.connect(directory));
        pair.server().send(Bytes.heap("never read"));
        Patience.awaitReadable(pair.client());
        String server = pair.server().toString();
        pair.client().close();
        Patience.awaitReadable(pair.server());
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> pair.server().receive(ByteBuffer.allocate(1)));
        assertEquals("ECONNRESET", e.errorName());
        assertEquals("recv " + server + ": ECONNRESET (connection reset by peer)", e.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void sendingAfterTheOwnEndIsABrokenPipe(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        FileHandle file = own(FileHandle.open(Files.writeString(directory.resolve("file"), "content")));
        pair.client().shutdownOutput();
        assertError(Errno.EPIPE, "send", () -> pair.client().send(Bytes.heap("late")));
        assertError(Errno.EPIPE, "send", () -> pair.client().send(Bytes.direct(Bytes.of("late"))));
        assertError(Errno.EPIPE, "sendmsg", () -> pair.client().send(new ByteBuffer[] {Bytes.heap("late")}, 0, 1));
        assertError(Errno.EPIPE, CalledSystem.isWindows() ? "send" : "sendfile",
                () -> pair.client().sendFile(file, 0, 7));
    }

    private static void assertError(Errno error, String call, Executable executable) {
        SystemCallException e = assertThrows(SystemCallException.class, executable);
        assertEquals(error, e.error());
        assertEquals(call, e.call());
    }

    @ParameterizedTest
    @EnumSource
    void sendingToAClosedPeerFailsSoonerOrLater(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().close();
        for (Patience patience = new Patience(); patience.lasts();) {
            try {
                pair.server().send(Bytes.heap("hello?"));
            } catch (SystemCallException e) {
                assertTrue(EnumSet.of(Errno.EPIPE, Errno.ECONNRESET).contains(e.error()), e::getMessage);
                return;
            }
        }
        fail("the close of the peer was not detected");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void shutdownOfALostConnectionNamesTheCall(Transport transport) throws Exception {
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        StreamPair pair = own(transport.connect(directory));
        pair.client().setOption(NativeSocketOptions.SO_LINGER, 0);
        pair.client().close();
        Patience.awaitReadable(pair.server());
        assertError(Errno.ENOTCONN, "shutdown", () -> pair.server().shutdownOutput());
        assertError(Errno.ENOTCONN, "shutdown", () -> pair.server().shutdownInput());
    }

    @ParameterizedTest
    @EnumSource
    void allUsesAfterTheCloseAreRejected(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        FileHandle file = own(FileHandle.open(Files.writeString(directory.resolve("file"), "content")));
        SocketStream closed = pair.client();
        String name = closed.toString();
        closed.close();
        ByteBuffer one = ByteBuffer.allocate(1);
        ByteBuffer direct = ByteBuffer.allocateDirect(1);
        Executable[] uses = {
            () -> closed.send(one),
            () -> closed.send(direct),
            () -> closed.send(new ByteBuffer[] {one}, 0, 1),
            () -> closed.receive(one),
            () -> closed.receive(direct),
            () -> closed.receive(new ByteBuffer[] {direct}, 0, 1),
            () -> closed.sendFully(one, Patience.LIMIT),
            () -> closed.receiveFully(one, Patience.LIMIT),
            () -> closed.sendFile(file, 0, 1),
            closed::localAddress,
            closed::remoteAddress,
            closed::shutdownInput,
            closed::shutdownOutput,
            () -> closed.setOption(NativeSocketOptions.SO_KEEPALIVE, true),
            () -> closed.getOption(NativeSocketOptions.SO_KEEPALIVE),
        };
        for (int i = 0; i < uses.length; i++) {
            HandleClosedException e = assertThrows(HandleClosedException.class, uses[i], "use " + i);
            assertEquals(name + " is closed", e.getMessage());
        }
        assertEquals(1, one.remaining());
        assertEquals(1, direct.remaining());
        closed.close();
    }
}
