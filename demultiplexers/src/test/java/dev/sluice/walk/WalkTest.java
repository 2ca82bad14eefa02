package dev.sluice.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism;
import java.io.Reader;
import java.nio.file.Files;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * How many classes a reader has to know who follows one echoed message, and how large each of them may be. {@code
 * .mvn/budget.properties} has the bounds, which are lowered as the way gets shorter and never raised.
 */
@EnabledOnOs(OS.LINUX)
class WalkTest {

    @Test
    void ofAReactorOnEpoll() throws Exception {
        assertWithinBudget(ReactorEcho.class, "epoll", "epoll_wait", "walk.reactor.epoll");
    }

    @Test
    void ofAServiceHandlerOnEpoll() throws Exception {
        assertWithinBudget(ServiceEcho.class, "epoll", "epoll_wait", "walk.service.epoll");
    }

    @Test
    void ofAStreamHandlerOnIoUring() throws Exception {
        requireIoUring();
        assertWithinBudget(StreamEcho.class, "io_uring", "io_uring_enter", "walk.stream.io_uring");
    }

    @Test
    void ofAProactorOnIoUring() throws Exception {
        requireIoUring();
        assertWithinBudget(ProactorEcho.class, "io_uring", "io_uring_enter", "walk.proactor.io_uring");
    }

    private static void requireIoUring() {
        assumeTrue(Mechanism.available().stream()
                .anyMatch(factory -> factory.name().equals("io_uring") && factory.availability().usable()),
                "this kernel or container refuses io_uring");
    }

    private static void assertWithinBudget(Class<? extends EchoProgram> program, String demultiplexer, String wait,
            String name) throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"), "the walk is recorded on ffm");
        List<Walk> walks = RecordedWalk.of(program, wait, "--enable-native-access=ALL-UNNAMED -Dsluice.native=ffm"
                + " -Dsluice.demultiplexer=" + demultiplexer);
        Walk walk = walks.get(0);
        System.out.println(name + ": " + walk);
        for (Walk other : walks) {
            assertEquals(walk.classes(), other.classes(), "two messages go different ways");
        }
        Properties budget = new Properties();
        try (Reader reader = Files.newBufferedReader(RecordedWalk.root().resolve(".mvn/budget.properties"))) {
            budget.load(reader);
        }
        int most = bound(budget, name);
        assertTrue(walk.classes().size() <= most, () -> name + " may enter " + most + " classes, and enters " + walk);
        int lines = bound(budget, "walk.lines");
        int fields = bound(budget, "walk.fields");
        List<EnteredClass> larger = walk.classes().stream()
                .filter(entered -> entered.lines() > lines || entered.fields() > fields).toList();
        assertEquals(List.of(), larger, () -> "none may have more than " + lines + " lines or " + fields
                + " fields of its own; split off what has a reason of its own");
    }

    private static int bound(Properties budget, String name) {
        return Integer.parseInt(budget.getProperty(name));
    }
}
