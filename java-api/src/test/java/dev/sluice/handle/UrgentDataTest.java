package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The byte that overtakes the stream. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class UrgentDataTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void overtakesTheStream(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        assertEquals(-1, pair.server().receiveUrgent());
        pair.client().send(Bytes.heap("be"));
        assertTrue(pair.client().sendUrgent((byte) 0xFE));
        pair.client().send(Bytes.heap("fore"));
        int urgent = -1;
        for (Patience patience = new Patience(); urgent < 0 && patience.lasts();) {
            urgent = pair.server().receiveUrgent();
        }
        assertEquals(0xFE, urgent);
        assertEquals(-1, pair.server().receiveUrgent());
        ByteBuffer stream = ByteBuffer.allocate(6);
        assertTrue(pair.server().receiveFully(stream, Patience.LIMIT));
        assertEquals("before", Bytes.text(stream));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void staysInTheStreamIfAskedTo(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.server().setOption(NativeSocketOptions.SO_OOBINLINE, true);
        pair.client().send(Bytes.heap("a"));
        assertTrue(pair.client().sendUrgent((byte) 'b'));
        pair.client().send(Bytes.heap("c"));
        ByteBuffer stream = ByteBuffer.allocate(3);
        assertTrue(pair.server().receiveFully(stream, Patience.LIMIT));
        assertEquals("abc", Bytes.text(stream));
        assertEquals(-1, pair.server().receiveUrgent());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void isRefusedByAFullBuffer(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory)).smallBuffers();
        boolean taken = true;
        for (Patience patience = new Patience(); taken && patience.lasts();) {
            StreamPair.fill(pair.client());
            taken = pair.client().sendUrgent((byte) 1);
        }
        assertFalse(taken);
    }
}
