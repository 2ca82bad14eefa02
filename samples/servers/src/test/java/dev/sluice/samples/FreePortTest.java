package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag(Depth.IN_QUICK)
class FreePortTest {

    @Test
    void forksTakeDifferentPortsOutsideTheRangeOfTheSystem() throws Exception {
        FreePort first = new FreePort("2048\t65000\n", 1);
        FreePort second = new FreePort("2048\t65000\n", 2);
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            for (FreePort fork : new FreePort[] {first, second}) {
                int port = fork.take();
                assertTrue(taken.add(port) && (port < 2048 || port > 65_000), () -> port + " after " + taken);
            }
        }
    }

    @Test
    void shareOfARunningProcessIsTakenByNoOther(@TempDir Path owners) throws Exception {
        assertEquals(0, FreePort.takeShare(owners));
        assertEquals(1, FreePort.takeShare(owners));
        Files.writeString(owners.resolve("0"), Integer.toString(Integer.MAX_VALUE));
        assertEquals(0, FreePort.takeShare(owners), "of a process that has ended");
        assertEquals(2, FreePort.takeShare(owners));
    }

    @Test
    void aPortOfTheSystemIsKeptForAServer() throws Exception {
        FreePort none = new FreePort("1024 65535", 1);
        int port = none.take();
        assertNotEquals(port, none.take());
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            assertEquals(port, server.getLocalPort());
        }
    }
}
