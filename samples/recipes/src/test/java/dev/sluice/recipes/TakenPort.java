package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.SampleProcess;
import java.net.ServerSocket;

/** A port on which another program listens. */
public final class TakenPort {

    private TakenPort() {
    }

    /** Fails unless a server says why it cannot listen there, and ends. */
    public static void assertReported(Recipe recipe, String why) throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                SampleProcess server = SampleProcess.start(recipe.process(Integer.toString(taken.getLocalPort())))) {
            assertEquals(1, server.awaitExit());
            server.errors().awaitLine("why", line -> line.contains(why));
        }
    }
}
