package dev.sluice.handle;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sending files over connections. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class SendFileTest extends LeakChecked {

    private static final int SIZE = 2_000_001;

    @TempDir
    Path directory;

    private byte[] content;
    private FileHandle file;

    @BeforeEach
    void openFile() throws Exception {
        content = Bytes.random(SIZE);
        file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
    }

    @ParameterizedTest
    @EnumSource
    void wholeFileLargerThanAllBuffers(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory)).smallBuffers();
        ByteBuffer received = ByteBuffer.allocateDirect(SIZE);
        long position = 0;
        int full = 0;
        while (position < SIZE) {
            long sent = pair.client().sendFile(file, position, Long.MAX_VALUE - position);
            assertTrue(sent >= 0, () -> "sent " + sent);
            position += sent;
            if (sent == 0) {
                full++;
                Patience.awaitReadable(pair.server());
                pair.server().receive(received);
            }
        }
        assertEquals(SIZE, position);
        assertTrue(full > 0, "the socket's buffer was never full");
        assertTrue(pair.server().receiveFully(received, Patience.LIMIT));
        assertBytes(content, Bytes.before(received));
    }

    @ParameterizedTest
    @EnumSource
    void aPartAndTheEnd(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        assertEquals(0, pair.client().sendFile(file, 5, 0));
        assertReceived(pair, pair.client().sendFile(file, 12_345, 700), 12_345, 700);
        assertReceived(pair, pair.client().sendFile(file, SIZE - 10, 700), SIZE - 10, 10);
        assertEquals(-1, pair.client().sendFile(file, SIZE, 1));
        assertEquals(-1, pair.client().sendFile(file, SIZE + (1L << 40), 1));
        assertEquals(0, pair.server().receive(ByteBuffer.allocate(1)), "nothing else was sent");
    }

    @ParameterizedTest
    @EnumSource
    void rangesThatEndBeyondTheLargestNumber(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        long sent = pair.client().sendFile(file, 1, Long.MAX_VALUE);
        assertTrue(sent > 0, () -> "sent " + sent);
        assertReceived(pair, sent, 1, (int) sent);
        assertEquals(-1, pair.client().sendFile(file, Long.MAX_VALUE - 1, Long.MAX_VALUE));
        assertEquals(-1, pair.client().sendFile(file, Long.MAX_VALUE, 1));
    }

    /** The first error if there is no such call, the second for a file that it does not support. */
    @ParameterizedTest
    @EnumSource(names = {"ENOSYS", "EINVAL"})
    @EnabledOnOs(OS.LINUX)
    void copiesWhatTheSystemCannotSend(Errno refusal) throws Exception {
        FaultInjection faults = own(FaultInjection.install());
        StreamPair pair = own(Transport.TCP4.connect(directory));
        FileHandle faulty = own(FileHandle.open(directory.resolve("file")));
        faults.failEach("sendfile", refusal);
        assertReceived(pair, pair.client().sendFile(faulty, 12_345, 700), 12_345, 700);
        assertReceived(pair, pair.client().sendFile(faulty, SIZE - 10, Long.MAX_VALUE), SIZE - 10, 10);
        assertEquals(-1, pair.client().sendFile(faulty, SIZE, 1));
        faults.failNth("pread", 1, Errno.EIO);
        SystemCallException failure = assertThrows(SystemCallException.class,
                () -> pair.client().sendFile(faulty, 0, 1));
        assertEquals("pread " + faulty + ": EIO (input/output error)", failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void headComesBeforeTheFile(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        ByteBuffer head = ByteBuffer.wrap(Arrays.copyOf(content, 100));
        assertEquals(0, pair.client().sendBeforeMore(ByteBuffer.allocate(0)));
        assertEquals(100, pair.client().sendBeforeMore(head));
        assertEquals(0, head.remaining());
        assertReceived(pair, 100 + pair.client().sendFile(file, 100, 700), 0, 800);
    }

    @ParameterizedTest
    @EnumSource
    void headerWithoutFileBytesIsSent(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        assertReceived(pair, pair.client().sendBeforeMore(ByteBuffer.wrap(Arrays.copyOf(content, 100))), 0, 100);
    }

    private void assertReceived(StreamPair pair, long sent, int from, int count) throws Exception {
        assertEquals(count, sent);
        ByteBuffer received = ByteBuffer.allocate(count);
        assertTrue(pair.server().receiveFully(received, Patience.LIMIT));
        assertBytes(Arrays.copyOfRange(content, from, from + count), received.array());
    }

    @ParameterizedTest
    @EnumSource
    void invalidArgumentsAreRejected(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        assertThrows(IllegalArgumentException.class, () -> pair.client().sendFile(file, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> pair.client().sendFile(file, 0, -1));
        file.close();
        assertThrows(HandleClosedException.class, () -> pair.client().sendFile(file, 0, 1));
        pair.client().close();
        assertEquals(SocketStream.END_OF_STREAM, receiveOne(pair), "the refused call has released the connection");
    }

    private static int receiveOne(StreamPair pair) throws Exception {
        Patience.awaitReadable(pair.server());
        return pair.server().receive(ByteBuffer.allocate(1));
    }
}
