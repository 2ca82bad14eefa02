package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class FullSocketTest extends LeakChecked {

    @TempDir
    Path directory;

    /** Data from the peer acknowledges all bytes that it has received, and announces its window. */
    @ParameterizedTest
    @EnumSource
    void staysFullWhenThePeerOnlyAcknowledges(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        FullSocket.fill(pair.client(), pair.server());
        for (int i = 0; i < 10; i++) {
            assertEquals(1, pair.server().send(ByteBuffer.allocate(1)));
            assertTrue(pair.client().receiveFully(ByteBuffer.allocate(1), Patience.LIMIT));
            assertEquals(0, pair.client().send(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void becomesWritableWhenThePeerReceives(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        int filled = FullSocket.fill(pair.client(), pair.server());
        StreamPair.drain(pair.server(), filled);
        Patience.awaitWritable(pair.client());
        assertEquals(1, pair.client().send(ByteBuffer.allocate(1)));
    }
}
