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

/** The byte that overtakes the stream. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class UrgentDataTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void staysInTheStreamIfAskedTo(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.server().setOption(NativeSocketOptions.SO_OOBINLINE, true);
        pair.client().send(Bytes.heap("a"));
        UrgentByte.send(pair.client(), (byte) 'b');
        pair.client().send(Bytes.heap("c"));
        ByteBuffer stream = ByteBuffer.allocate(3);
        assertTrue(pair.server().receiveFully(stream, Patience.LIMIT));
        assertEquals("abc", Bytes.text(stream));
        assertEquals(-1, UrgentByte.receive(pair.server()));
    }
}
