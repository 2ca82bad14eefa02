package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Flood;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.Setups;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many clients send as much as they can, while the log of the server is not read, which has little memory. */
@EnabledOnOs(OS.LINUX)
class WebFloodTest {

    private static final int CLIENTS = 200;
    private static final int ROUNDS = Depth.current() == Depth.VERIFY ? 1 : 3;
    /** Each request fills a page of the log. */
    private static final String PATH = "/" + "x".repeat(4000);

    static Stream<String> demultiplexers(TestInfo test) {
        return Depth.some(test, Setups.asynchronousDemultiplexers(), 1);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void thoseWhoSendAheadDoNotTakeAllMemory(String demultiplexer, @TempDir Path root) throws Exception {
        try (WebSample web = WebSample.start(SampleCommand.of(WebDriver.of(IoStrategy.PROACTIVE).command("--root",
                root.toString(), "--access-log", "-", "--demultiplexer", demultiplexer)).withOption("-Xmx48m")
                .withOption("-XX:+ExitOnOutOfMemoryError").holdingOutput())) {
            try (Flood flood = new Flood(web.address())) {
                flood.add(CLIENTS, HttpClientSocket.request("GET", PATH));
                flood.untilThrottled();
                web.process().output().release();
                for (int i = 0; i < ROUNDS; i++) {
                    flood.send();
                    try (HttpClientSocket other = web.connect()) {
                        assertEquals(404, other.get("/none").receive().status());
                    }
                }
            }
            web.process().stop();
        }
    }
}
