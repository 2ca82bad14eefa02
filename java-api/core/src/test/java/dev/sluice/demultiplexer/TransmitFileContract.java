package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sending a part of a file. */
@Tag(Depth.TRANSFER)
public abstract class TransmitFileContract extends OperationContract {

    private static final int MUCH = 3 * 1024 * 1024;
    private static final int BEFORE_THE_CANCELLATION = 1_000_000;

    private byte[] content;
    private FileHandle file;

    protected TransmitFileContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private void openFile(int size) throws IOException {
        content = Bytes.random(size);
        file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
    }

    @ParameterizedTest
    @CsvSource({
        // file, from, number, result
        "1, 0, 1, 1",
        "4096, 0, 4096, 4096",
        "10000, 1, 4096, 4096",
        "100000, 50001, 40000, 40000",
        "10000, 0, 0, 0",
        "0, 0, 0, 0",
        "0, 0, 100, 0",
        "100, 40, 100, 60",
        "100, 100, 1, 0",
        "100, 1000, 1, 0",
        "100, 9223372036854775806, 9223372036854775807, 0",
        "100, 9223372036854775807, 9223372036854775807, 0",
        "100, 0, 9223372036854775807, 100",
        "10000, 0, 4294967296, 10000",
    })
    void sendsTheRange(int size, long from, long number, int result) throws IOException {
        openFile(size);
        for (StreamKind kind : EnumSet.of(StreamKind.TCP, StreamKind.fastest())) {
            StreamPair pair = pair(kind);
            Association where = associate(pair.near());
            assertResult(result, start(o -> o.transmitFile(where, file, from, number, null, null)));
            pair.near().shutdownOutput();
            byte[] expected = result == 0 ? new byte[0] : Arrays.copyOfRange(content, (int) from, (int) from + result);
            assertBytes(expected, Peer.receiveAll(pair.far()));
        }
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void sendsMuchToASlowReader(StreamKind kind) throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 7, MUCH, null, null));
        assertNoCompletion();
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), MUCH - 7));
        assertResult(MUCH - 7, transmit);
        assertBytes(Arrays.copyOfRange(content, 7, MUCH), finish(receiver));
    }

    @Test
    void oneFileGoesToManyPeersAtOnce() throws Exception {
        openFile(300_000);
        List<Flight> transmits = new ArrayList<>();
        List<Future<byte[]>> receivers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
            Association where = associate(pair.near());
            int from = i;
            transmits.add(start(o -> o.transmitFile(where, file, from, MUCH, null, null)));
            transmits.add(start(o -> o.shutdown(where, true)));
            receivers.add(inBackground(() -> Peer.receiveAll(pair.far())));
        }
        collectAll(transmits);
        for (int i = 0; i < receivers.size(); i++) {
            assertBytes(Arrays.copyOfRange(content, i, content.length), finish(receivers.get(i)));
        }
    }

    /** Bytes read from the file before have been sent, or are dropped; there is no gap. */
    @ParameterizedTest
    @MethodSource("streamKinds")
    void cancelledMidwayEndsAndLeavesAPrefix(StreamKind kind) throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, null, null));
        byte[] received = collectDuring(() -> Peer.receive(pair.far(), BEFORE_THE_CANCELLATION));
        transmit.operation().cancel();
        assertCancelled(transmit);
        assertBytes(Arrays.copyOf(content, BEFORE_THE_CANCELLATION), received);
        pair.near().shutdownOutput();
        byte[] rest = Peer.receiveAll(pair.far());
        assertTrue(rest.length < MUCH - BEFORE_THE_CANCELLATION);
        assertBytes(Arrays.copyOfRange(content, BEFORE_THE_CANCELLATION, BEFORE_THE_CANCELLATION + rest.length),
                rest);
    }

    @Test
    void peerThatResetsMidwayIsAFailureThatNamesCallErrorAndBoth() throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, null, null));
        collectDuring(() -> Peer.receive(pair.far(), BEFORE_THE_CANCELLATION));
        Peer.reset(pair.far());
        assertTrue(result(transmit) < 0);
        Errno error = Errno.of(transmit.result());
        assertTrue(error == Errno.ECONNRESET || error == Errno.EPIPE, error::toString);
        String message = transmit.operation().error(transmit.result()).getMessage();
        assertTrue(message.startsWith("sendfile ") && message.contains(error.name())
                && message.contains(file.toString()) && message.contains(pair.near().toString()), message);
    }

    @Test
    void fileThatCannotBeReadIsAFailure() throws IOException {
        WineDifference.TRANSMIT_FILE_IGNORES_RIGHTS.assumeAbsent();
        FileHandle writeOnly = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[100]),
                StandardOpenOption.WRITE));
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        assertFails(Errno.EBADF, start(o -> o.transmitFile(where, writeOnly, 0, 100, null, null)));
        assertResult(1, start(o -> o.send(where, Bytes.direct(new byte[1]), true)));
        assertEquals(1, Peer.receive(pair.far(), 1).length);
    }

    @Test
    void closedFileIsHeldOpenUntilTheCompletion() throws Exception {
        OpenDescriptors.assumeShown();
        openFile(MUCH);
        int descriptor = DemultiplexerContract.descriptor(file.handle());
        StreamPair pair = Peer.narrow(pair(StreamKind.fastest()));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, null, null));
        assertNoCompletion();
        file.close();
        assertTrue(OpenDescriptors.link(descriptor).orElse("").endsWith("file"), "closed too early");
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), MUCH));
        assertResult(MUCH, transmit);
        assertBytes(content, finish(receiver));
        assertTrue(OpenDescriptors.link(descriptor).isEmpty(), "held open after the completion");
    }
}
