package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another thread closes a shared arena while a call receives into its memory, which may then be allocated again. Here
 * it is a buffer of the test, which shows whether it has been written to.
 */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@Tag(CalledSystem.NOT_WINDOWS)
class SharedArenaTest extends LeakChecked {

    private static final int SIZE = 16;

    @TempDir
    Path directory;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    private AutoCloseable arena;
    private ByteBuffer view;
    private FaultInjection faults;

    @BeforeEach
    void install() throws Exception {
        ForeignMemory.assumeThere();
        arena = ForeignMemory.arena("ofShared");
        view = ForeignMemory.view(memory, arena);
        faults = FaultInjection.install();
    }

    // Runs before the inherited method, which closes the owned resources and then compares.
    @AfterEach
    void restore() {
        if (faults != null) {
            faults.close();
        }
    }

    private interface IoCall {
        void run() throws Exception;
    }

    private void assertLeavesItAlone(String function, IoCall call) {
        faults.beforeNth(function, 1, () -> {
            try {
                arena.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThrows(IllegalStateException.class, call::run, function);
        for (int i = 0; i < SIZE; i++) {
            assertEquals(0, memory.get(i), function + " has overwritten memory that belongs to others");
        }
    }

    @Test
    void aStreamIsReceivedFrom() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        pair.client().send(ByteBuffer.wrap(Bytes.of("OVERWRITTEN")));
        assertLeavesItAlone("recv", () -> pair.server().receive(view));
    }

    @Test
    void aStreamIsScattered() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        pair.client().send(ByteBuffer.wrap(Bytes.of("OVERWRITTEN")));
        assertLeavesItAlone("recvmsg",
                () -> pair.server().receive(new ByteBuffer[] {ByteBuffer.allocateDirect(1), view}, 0, 2));
    }

    @Test
    void aFileIsRead() throws Exception {
        FileHandle file = own(FileHandle.open(Files.writeString(directory.resolve("file"), "OVERWRITTEN")));
        assertLeavesItAlone("pread", () -> file.read(view, 0));
    }

    @Test
    void aDatagramIsReceived() throws Exception {
        SocketDatagram from = own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        SocketDatagram to = own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        from.send(ByteBuffer.wrap(Bytes.of("OVERWRITTEN")), to.localAddress());
        assertLeavesItAlone("recvfrom", () -> to.receive(view, null));
    }
}
