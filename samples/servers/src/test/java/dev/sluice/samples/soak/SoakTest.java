package dev.sluice.samples.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** All samples at once, for half an hour in the long form; the short form runs in the matrix only. */
@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledOnOs(OS.LINUX)
class SoakTest {

    private static final int ROUNDS = Campaign.count(8, 64);
    private static final Duration ROUND = Duration.ofSeconds(Campaign.count(1, 25));
    private static final Duration PAUSE = Duration.ofMillis(Campaign.count(0, 20));

    @TempDir
    private Path directory;
    private final Deque<ObservedServer> servers = new ArrayDeque<>();

    private ObservedServer start(String name, String... arguments) throws IOException {
        ObservedServer server = ObservedServer.start(name, directory, arguments);
        servers.push(server);
        return server;
    }

    @AfterEach
    void end() {
        servers.forEach(ObservedServer::close);
    }

    @Test
    void nothingGrows() throws Exception {
        Campaign campaign = Campaign.begin("soak");
        List<Target> targets = new ArrayList<>();
        targets.add(echo("reactor"));
        targets.add(echo("proactor"));
        Path root = WebConversation.makeFiles(directory);
        targets.add(web("reactive", root));
        targets.add(web("proactive", root));
        Path log = directory.resolve("log");
        Target logging = new Target(start("logging", "logging", "--port", "0", "--file", log.toString()),
                "<13>half a record".getBytes(US_ASCII)).floodedWithDatagrams();
        LogConversation records = new LogConversation(logging.address());
        targets.add(logging.talkedTo(records));
        targets.addAll(bank());

        List<Resident> residents = new ArrayList<>();
        for (Target target : targets) {
            residents.add(new Resident(target.address(), target.request()));
        }
        new Soak(campaign, targets, ROUNDS, ROUND, 0, PAUSE).run();

        List<String> wrong = new ArrayList<>();
        List<String> coarse = new ArrayList<>();
        for (Target target : targets) {
            Findings findings = Findings.of(target);
            System.out.print(findings);
            wrong.addAll(findings.wrong());
            if (Campaign.isLong()) {
                wrong.addAll(findings.slower());
                coarse.addAll(findings.coarse());
            }
        }
        Soak.atOnce(servers, ObservedServer::awaitQuiet);
        for (Resident resident : residents) {
            resident.close();
        }
        // Front ends before what is behind them: in the reverse order of their start.
        for (ObservedServer server : servers) {
            server.stop();
            assertFalse(server.errors().contains("\tat "), () -> server.name() + ": " + server.errors());
        }
        wrong.addAll(records.compare(log));
        assertEquals(List.of(), wrong, campaign::toString);
        assertEquals(List.of(), coarse, () -> "too coarse for a byte per message: " + campaign);
    }

    private Target echo(String pattern) throws Exception {
        Target target = new Target(start("echo " + pattern, "echo", "--port", "0", "--pattern", pattern, "--threads",
                "2"), "echo this, please".getBytes(US_ASCII));
        return target.talkedTo(new EchoConversation(target.address()));
    }

    private Target web(String io, Path root) throws Exception {
        Target target = new Target(start("web " + io, "web", "--port", "0", "--io", io, "--root", root.toString(),
                "--threads", "2"), WebConversation.request("GET", "file4", "").getBytes(US_ASCII));
        return target.talkedTo(new WebConversation(target.address()));
    }

    private List<Target> bank() throws Exception {
        byte[] request = RespClient.request("BALANCE", 1).getBytes(US_ASCII);
        List<Target> backs = new ArrayList<>();
        StringBuilder addresses = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            Target back = new Target(start("oltp-back " + i, "oltp-back", "--port", "0", "--data",
                    directory.resolve("bank" + i).toString(), "--branches", "" + BackEndSample.BRANCHES, "--tellers",
                    "" + BackEndSample.TELLERS, "--accounts", "" + BackEndSample.ACCOUNTS), request);
            backs.add(back);
            addresses.append(i > 0 ? "," : "").append(back.address().getHostString()).append(':')
                    .append(back.address().getPort());
        }
        Target front = new Target(start("oltp-front", "oltp-front", "--port", "0", "--back", addresses.toString()),
                request);
        front.talkedTo(new BankConversation(front.address()));
        backs.forEach(back -> back.behind(front));
        List<Target> all = new ArrayList<>(backs);
        all.add(front);
        return all;
    }
}
