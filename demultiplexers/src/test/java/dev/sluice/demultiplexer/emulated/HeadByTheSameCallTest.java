package dev.sluice.demultiplexer.emulated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform.Os;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.SfHdtr;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A head that goes out by the call that sends the file, as on FreeBSD. Its {@code sendfile} is played here by calls of
 * Linux, with what that kernel does at the end of the file, and when a socket takes only a part.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HeadByTheSameCallTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SIZE = 100_000;

    private final Binding real = Bindings.current();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    /** The most that a call takes; 0 if there is no such call. */
    private int taken = Integer.MAX_VALUE;

    @AfterEach
    void restore() {
        Bindings.use(real);
    }

    private void pretendFreeBsd() {
        Posix posix = (Posix) Proxy.newProxyInstance(Posix.class.getClassLoader(), new Class<?>[] {Posix.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("send")) {
                        calls.add("send " + arguments[2]);
                    }
                    try {
                        return method.invoke(real.posix(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Bsd bsd = (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "accept4" -> real.linux().accept4((int) arguments[0], (long) arguments[1],
                            (long) arguments[2], (int) arguments[3]);
                    case "pipe2" -> real.linux().pipe2((long) arguments[0], (int) arguments[1]);
                    case "sendfile" -> sendfile((int) arguments[0], (int) arguments[1], (long) arguments[2],
                            (long) arguments[3], (long) arguments[4], (long) arguments[5]);
                    default -> -Errno.ENOSYS.number();
                });
        Bindings.use(new Binding("playing FreeBSD", Os.FREEBSD, real.memory(), posix, null, bsd, null));
    }

    private int sendfile(int file, int socket, long from, long count, long header, long answer) {
        if (taken == 0) {
            calls.add("no sendfile");
            return -Errno.ENOSYS.number();
        }
        Memory memory = real.memory();
        Linux linux = real.linux();
        try (MemoryBlock sent = memory.wrap(answer, Long.BYTES, () -> { });
                MemoryBlock offset = memory.allocate(Long.BYTES)) {
            sent.buffer().putLong(0, 0);
            if (from >= SIZE) {
                // The loop that sends the header with the first page is not entered.
                calls.add("sendfile at the end");
                return 0;
            }
            int head = 0;
            if (header != 0) {
                head = sendHeader(memory, socket, header);
                if (head < 0 || head == taken) {
                    sent.buffer().putLong(0, Math.max(0, head));
                    return -Errno.EAGAIN.number();
                }
            }
            offset.buffer().putLong(0, from);
            long moved = linux.sendfile(socket, file, offset.address(), Math.min(count, taken - head));
            calls.add("sendfile " + head + "+" + moved);
            sent.buffer().putLong(0, head + Math.max(0, moved));
            boolean partly = moved < Math.min(count, SIZE - from);
            return moved < 0 ? (int) moved : partly ? -Errno.EAGAIN.number() : 0;
        }
    }

    private int sendHeader(Memory memory, int socket, long header) {
        try (MemoryBlock structure = memory.wrap(header, SfHdtr.SIZE, () -> { });
                MemoryBlock vector = memory.wrap(structure.buffer().getLong(SfHdtr.HEADERS), Iovec.SIZE, () -> { })) {
            assertEquals(1, structure.buffer().getInt(SfHdtr.HEADER_COUNT));
            assertEquals(0, structure.buffer().getLong(SfHdtr.TRAILERS));
            assertEquals(0, structure.buffer().getInt(SfHdtr.TRAILER_COUNT));
            return (int) real.posix().send(socket, vector.buffer().getLong(Iovec.BASE),
                    Math.min(taken, Iovec.length(vector.buffer(), 0)), SocketConstants.MSG_NOSIGNAL);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // from, number, head, tail, the most a call takes; sent of the file, of the tail; first call
        "0, 1000, 10, 0, 2147483647, 1000, 0, sendfile 10+1000",
        "0, 1000, 10, 20, 2147483647, 1000, 20, sendfile 10+1000",
        "0, 1000, 0, 20, 2147483647, 1000, 20, sendfile 0+1000",
        "99000, 1000, 10, 20, 2147483647, 1000, 20, sendfile 10+1000",
        "99000, 2000, 10, 20, 2147483647, 1000, 0, sendfile 10+1000",
        "100000, 1, 10, 20, 2147483647, 0, 0, sendfile at the end",
        "5, 0, 10, 20, 2147483647, 0, 20, send 10",
        "0, 1000, 1000, 20, 700, 1000, 20, sendfile 300+400",
        "0, 1000, 1000, 20, 1000, 1000, 20, sendfile 0+1000",
        "0, 1000, 10, 20, 0, 1000, 20, no sendfile",
        "99000, 2000, 10, 20, 0, 1000, 0, no sendfile",
    })
    void headGoesWithTheFile(long from, long number, int headSize, int tailSize, int most, int ofFile, int ofTail,
            String first, @TempDir Path directory) throws Exception {
        taken = most;
        byte[] content = Bytes.random(SIZE);
        byte[] head = Bytes.random(headSize);
        byte[] tail = Bytes.random(tailSize);
        pretendFreeBsd();
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                SocketStream far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream near = acceptor.accept(PATIENCE);
                FileHandle file = FileHandle.open(Files.write(directory.resolve("file"), content));
                EmulatedDemultiplexer demultiplexer = new EmulatedDemultiplexer(new PollDemultiplexer(),
                        ProvidedBuffers.Size.DEFAULT, FilePool.DEFAULT_MAX);
                Completions completions = demultiplexer.newCompletions(1)) {
            ByteBuffer before = ByteBuffer.wrap(head);
            ByteBuffer after = Bytes.direct(tail);
            demultiplexer.newOperation().transmitFile(demultiplexer.associate(near.handle()), file, from, number,
                    before, after);
            assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
            assertEquals(headSize + ofFile + ofTail, completions.result(0), calls::toString);
            assertEquals(headSize, before.position());
            assertEquals(ofTail, after.position());
            near.shutdownOutput();
            assertArrayEquals(head, received(far, headSize));
            assertArrayEquals(Arrays.copyOfRange(content, (int) from, (int) from + ofFile), received(far, ofFile));
            assertArrayEquals(Arrays.copyOf(tail, ofTail), received(far, ofTail));
            assertEquals(first, calls.get(0), calls::toString);
        }
    }

    private static byte[] received(SocketStream stream, int count) throws IOException {
        ByteBuffer received = ByteBuffer.allocate(count);
        assertTrue(stream.receiveFully(received, PATIENCE));
        return received.array();
    }
}
