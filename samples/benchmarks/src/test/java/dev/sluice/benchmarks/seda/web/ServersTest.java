package dev.sluice.benchmarks.seda.web;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers that are compared under SPECweb99. */
class ServersTest {

    @TempDir
    private Path directory;

    @Test
    void haveNginxInBothConfigurations() {
        Host host = new Host(directory);
        assumeTrue(host.find("nginx").isPresent(), "nginx is not installed");

        List<String> names = new Servers(Scale.FULL, host, directory).contestants().stream().map(MeasuredPeer::name)
                .toList();

        assertTrue(names.containsAll(List.of("nginx", "nginx, tcp_nopush off")), names::toString);
    }
}
