package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Programs;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a router writes, as the dissector of others reads it. */
class WiresharkTest {

    @TempDir
    private Path directory;

    @BeforeAll
    static void requireWireshark() {
        assumeTrue(Programs.has("tshark"), "no tshark here");
        assumeTrue(Programs.has("text2pcap"), "no text2pcap here");
    }

    /** {@return the fields of each message, a line for each} */
    private List<String> dissect(List<WirePacket> packets, String... fields) throws Exception {
        Path dump = directory.resolve("dump.txt");
        Path capture = directory.resolve("capture.pcap");
        List<String> lines = new ArrayList<>();
        for (WirePacket packet : packets) {
            // An offset of 0 begins a new packet.
            StringBuilder line = new StringBuilder("000000");
            for (byte each : packet.bytes()) {
                line.append(String.format(" %02x", each));
            }
            lines.add(line.toString());
        }
        Files.write(dump, lines);
        run(List.of("text2pcap", "-q", "-T", "40000,6346", dump.toString(), capture.toString()));
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-T", "fields", "-E",
                "separator=|"));
        for (String field : fields) {
            command.addAll(List.of("-e", "gnutella." + field));
        }
        return run(command).lines().toList();
    }

    private static String run(List<String> command) throws Exception {
        ExternalProgram program = ExternalProgram.run(command);
        assertEquals(0, program.exitCode(), program::errors);
        return program.text();
    }

    @Test
    void readsAllFiveMessages() throws Exception {
        try (RunningRouter router = RunningRouter.start()) {
            Servent asker = Servent.silent(router.address());
            router.own(asker).greet(Servent.BYE);
            WirePacket ownPing = asker.receive();
            Servent answerer = router.neighbour();
            WirePacket ping = WirePacket.ping(5, 1);
            WirePacket query = WirePacket.query(7, 0, "a song");
            asker.send(ping, query);
            WirePacket ownPong = asker.receive();
            WirePacket pingOn = answerer.receive();
            WirePacket queryOn = answerer.receive();
            String servent = WirePacket.newGuid();
            answerer.send(WirePacket.pong(ping, 3, new InetSocketAddress("10.9.8.7", 65_000)),
                    WirePacket.hits(query, 4, servent));
            WirePacket pongOn = asker.receive();
            WirePacket hitsOn = asker.receive();
            asker.send(WirePacket.push(servent, 2));
            WirePacket pushOn = answerer.receive();
            List<WirePacket> written = List.of(ownPing, ownPong, pingOn, queryOn, pongOn, hitsOn, pushOn);
            int port = router.address().getPort();

            List<String> lines = dissect(written, "header.id", "header.payload", "header.ttl", "header.hops",
                    "header.size", "pong.port", "pong.ip", "pong.files", "pong.kbytes", "query.min_speed",
                    "query.search", "queryhit.count", "queryhit.port", "queryhit.ip", "queryhit.speed",
                    "queryhit.servent_id", "push.servent_id", "push.index", "push.ip", "push.port");
            String noPong = "||||";
            String noQuery = "||";
            String noHits = "|||||";
            String noPush = "||||";
            assertEquals(List.of(
                    ownPing.guid() + "|0|7|0|0" + noPong + noQuery + noHits + noPush,
                    ping.guid() + "|1|2|0|14|" + port + "|127.0.0.1|0|0" + noQuery + noHits + noPush,
                    ping.guid() + "|0|4|2|0" + noPong + noQuery + noHits + noPush,
                    query.guid() + "|128|6|1|9" + noPong + "|0|a song" + noHits + noPush,
                    ping.guid() + "|1|2|1|14|65000|10.9.8.7|0|0" + noQuery + noHits + noPush,
                    query.guid() + "|129|3|1|27" + noPong + noQuery + "|0|6346|127.0.0.1|0|" + servent + noPush,
                    pushOn.guid() + "|64|1|1|26" + noPong + noQuery + noHits + "|" + servent + "|1|127.0.0.1|6346"),
                    lines);
        }
    }
}
