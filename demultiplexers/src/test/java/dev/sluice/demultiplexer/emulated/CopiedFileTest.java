package dev.sluice.demultiplexer.emulated;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is transmitted even if the system has no call for that, or none for this file. */
@ParameterizedClass
@ValueSource(strings = {"epoll", "epoll-one-shot", "poll", "select"})
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CopiedFileTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SIZE = 1_000_001;
    /** Less than what the file holds, so that pieces are sent in part. */
    private static final int SHRUNK = 20_000;

    @TempDir
    Path directory;

    @Parameter
    private String name;
    private final byte[] content = Bytes.random(SIZE);
    private FaultInjection faults;
    private AsynchronousEventDemultiplexer demultiplexer;
    private Completions completions;
    private SocketStream near;
    private SocketStream far;
    private FileHandle file;
    private Association where;

    @BeforeEach
    void open() throws IOException {
        faults = own(FaultInjection.install());
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        near = own(acceptor.accept(PATIENCE));
        near.setOption(NativeSocketOptions.SO_SNDBUF, SHRUNK);
        far.setOption(NativeSocketOptions.SO_RCVBUF, SHRUNK);
        file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        demultiplexer = own(OpenedDemultiplexers.openAsynchronous(name));
        completions = own(demultiplexer.newCompletions(1));
        where = demultiplexer.associate(near.handle());
    }

    /** Receives until the operation is over, and everything that it has sent is there. */
    private void receiveAll(ByteBuffer received) throws IOException {
        while (demultiplexer.awaitCompletions(completions, 0) == 0) {
            far.receive(received);
        }
        near.shutdownOutput();
        assertFalse(far.receiveFully(received, PATIENCE), "more than was to be sent");
    }

    @ParameterizedTest
    @CsvSource({
        // error, from, number, head, tail; sent of the file, of the tail
        "ENOSYS, 0, 1000001, 0, 0, 1000001, 0",
        "ENOSYS, 0, 1000001, 10, 20, 1000001, 20",
        "ENOSYS, 1, 700000, 300000, 300000, 700000, 300000",
        "ENOSYS, 1, 9223372036854775807, 10, 20, 1000000, 0",
        "ENOSYS, 1000001, 1, 10, 20, 0, 0",
        "ENOSYS, 1, 10, 10, 20, 10, 20",
        "EINVAL, 1, 999999, 10, 20, 999999, 20",
    })
    void arrivesBetweenHeadAndTail(Errno error, long from, long number, int headSize, int tailSize, int ofFile,
            int ofTail) throws Exception {
        faults.failEach("sendfile", error);
        byte[] head = Bytes.random(headSize);
        byte[] tail = Bytes.random(tailSize);
        ByteBuffer before = ByteBuffer.wrap(head);
        ByteBuffer after = Bytes.direct(tail);
        demultiplexer.newOperation().transmitFile(where, file, from, number, before, after);
        int sum = headSize + ofFile + ofTail;
        ByteBuffer received = ByteBuffer.allocate(sum + 1);
        receiveAll(received);
        assertEquals(sum, completions.result(0));
        assertEquals(headSize, before.position());
        assertEquals(ofTail, after.position());
        assertEquals(1, faults.calls("sendfile"));
        ByteBuffer expected = ByteBuffer.allocate(sum).put(head).put(content, (int) from, ofFile).put(tail, 0, ofTail);
        assertBytes(expected.array(), Bytes.before(received));
    }

    /** The next one asks the system again, as its file may be another one. */
    @Test
    void theSameOperationContinuesWithoutCopies() throws Exception {
        Operation transmit = demultiplexer.newOperation();
        faults.failNth("sendfile", 1, Errno.EINVAL);
        for (int i = 1; i <= 2; i++) {
            transmit.transmitFile(where, file, 0, 100, null, null);
            assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
            assertEquals(100, completions.result(0));
            assertEquals(i, faults.calls("sendfile"));
        }
        assertEquals(1, faults.calls("pread"));
        ByteBuffer received = ByteBuffer.allocate(200);
        assertTrue(far.receiveFully(received, PATIENCE));
        assertBytes(Arrays.copyOf(content, 100), Arrays.copyOfRange(received.array(), 100, 200));
    }

    @Test
    void isCancelledInItsMidst() throws Exception {
        faults.failEach("sendfile", Errno.ENOSYS);
        Operation transmit = demultiplexer.newOperation();
        transmit.transmitFile(where, file, 0, SIZE, null, null);
        ByteBuffer received = ByteBuffer.allocate(SIZE + 1);
        while (received.position() < SHRUNK) {
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
            far.receive(received);
        }
        transmit.cancel();
        receiveAll(received);
        assertEquals(-Errno.ECANCELED.number(), completions.result(0));
        assertBytes(Arrays.copyOf(content, received.position()), Bytes.before(received));
    }

    @Test
    void aFileThatCannotBeReadSaysWhy() throws Exception {
        faults.failEach("sendfile", Errno.EINVAL);
        faults.failNth("pread", 1, Errno.EIO);
        demultiplexer.newOperation().transmitFile(where, file, 0, SIZE, null, null);
        assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
        assertEquals(-Errno.EIO.number(), completions.result(0));
    }
}
