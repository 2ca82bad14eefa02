package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.connection.DescriptorShortage;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Availability;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which demultiplexer a program gets, by name, by property, and when something is lacking. */
class DemultiplexerChoiceTest extends LeakChecked {

    private static final String COMPLETION_ONLY = "io_uring";
    private static final String READINESS_ONLY = "epoll-edge";

    private final Map<String, String> before = new HashMap<>();

    @BeforeEach
    void forget() {
        for (String property : new String[] {Mechanism.PROPERTY, Mechanism.SYNCHRONOUS_PROPERTY,
            Mechanism.ASYNCHRONOUS_PROPERTY, IoUringSize.ZERO_COPY_PROPERTY,
            ProvidedBuffers.Size.MAX_RETAINED_PROPERTY, FilePool.MAX_PROPERTY}) {
            before.put(property, System.clearProperty(property));
        }
    }

    @AfterEach
    void restore() {
        before.forEach((property, value) -> {
            if (value == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, value);
            }
        });
    }

    private static String auto(Mode mode) {
        return Mechanism.choose(Mechanism.AUTO, mode).name();
    }

    private static boolean isUsable(String name, Mode mode) {
        return Mechanism.available().stream()
                .anyMatch(f -> f.mode() == mode && f.name().equals(name) && f.availability().usable());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void propertyHoldsForTheModesThatHaveTheName() throws IOException {
        String bestForReactors = auto(Mode.SYNCHRONOUS);
        String bestForProactors = auto(Mode.ASYNCHRONOUS);
        System.setProperty(Mechanism.PROPERTY, COMPLETION_ONLY);
        assertEquals(bestForReactors, auto(Mode.SYNCHRONOUS));
        assertEquals(Optional.empty(), Mechanism.forcedBy(Mode.SYNCHRONOUS));
        assertEquals(Optional.of(Mechanism.PROPERTY), Mechanism.forcedBy(Mode.ASYNCHRONOUS));
        Reactor.open().close();
        System.setProperty(Mechanism.PROPERTY, READINESS_ONLY);
        assertEquals(READINESS_ONLY, auto(Mode.SYNCHRONOUS));
        assertEquals(bestForProactors, auto(Mode.ASYNCHRONOUS));
        Proactor.open().close();
        System.setProperty(Mechanism.PROPERTY, "poll");
        assertEquals(List.of("poll", "poll"), List.of(auto(Mode.SYNCHRONOUS), auto(Mode.ASYNCHRONOUS)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void propertyOfAModeTakesPrecedence() {
        String bestForProactors = auto(Mode.ASYNCHRONOUS);
        System.setProperty(Mechanism.PROPERTY, "poll");
        System.setProperty(Mechanism.SYNCHRONOUS_PROPERTY, "select");
        assertEquals(List.of("select", "poll"), List.of(auto(Mode.SYNCHRONOUS), auto(Mode.ASYNCHRONOUS)));
        assertEquals(Optional.of(Mechanism.SYNCHRONOUS_PROPERTY), Mechanism.forcedBy(Mode.SYNCHRONOUS));
        System.setProperty(Mechanism.ASYNCHRONOUS_PROPERTY, "epoll");
        assertEquals(List.of("select", "epoll"), List.of(auto(Mode.SYNCHRONOUS), auto(Mode.ASYNCHRONOUS)));
        System.setProperty(Mechanism.ASYNCHRONOUS_PROPERTY, Mechanism.AUTO);
        assertEquals(bestForProactors, auto(Mode.ASYNCHRONOUS));
        assertEquals(Optional.empty(), Mechanism.forcedBy(Mode.ASYNCHRONOUS));
    }

    @Test
    void emptyPropertyForcesNothing() {
        String best = auto(Mode.SYNCHRONOUS);
        System.setProperty(Mechanism.PROPERTY, "");
        System.setProperty(Mechanism.SYNCHRONOUS_PROPERTY, "");
        assertEquals(best, auto(Mode.SYNCHRONOUS));
    }

    @ParameterizedTest
    @ValueSource(strings = {Mechanism.PROPERTY, Mechanism.SYNCHRONOUS_PROPERTY})
    void propertyWithAnUnknownNameIsRefusedByItsOwnName(String property) {
        System.setProperty(property, "nonsense");
        String message = refusal(Mechanism.AUTO, Mode.SYNCHRONOUS);
        assertTrue(message.startsWith("demultiplexer 'nonsense' of -D" + property + ": there is none of this name; "),
                message);
    }

    @Test
    void nameOfTheOtherModeIsExplained() {
        String reactor = refusal(COMPLETION_ONLY, Mode.SYNCHRONOUS);
        assertTrue(reactor.startsWith("demultiplexer 'io_uring': it is for a Proactor (completion), and there is none "
                + "of this name for a Reactor (readiness); usable here for a Reactor"), reactor);
        String proactor = refusal(READINESS_ONLY, Mode.ASYNCHRONOUS);
        assertTrue(proactor.startsWith("demultiplexer 'epoll-edge': it is for a Reactor (readiness), and there is none "
                + "of this name for a Proactor (completion); usable here for a Proactor"), proactor);
        System.setProperty(Mechanism.SYNCHRONOUS_PROPERTY, COMPLETION_ONLY);
        String forced = refusal(Mechanism.AUTO, Mode.SYNCHRONOUS);
        assertTrue(forced.startsWith("demultiplexer 'io_uring' of -Dsluice.demultiplexer.synchronous: it is for a "),
                forced);
    }

    private static String refusal(String name, Mode mode) {
        return assertThrows(IllegalArgumentException.class, () -> Mechanism.choose(name, mode)).getMessage();
    }

    private static String inTurns(String name) throws IOException {
        return described(HandleSetSource.open(name));
    }

    private static String described(HandleSetSource source) {
        source.close();
        return source.demultiplexer() + (source.isConcurrent() ? " CONCURRENT" : " ITERATIVE");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void poolTakesTurnsAtASetThatReportsAHandleOnce() throws IOException {
        assertEquals("epoll", auto(Mode.SYNCHRONOUS));
        assertEquals("epoll-one-shot ITERATIVE", inTurns(Mechanism.AUTO));
        assertEquals("epoll ITERATIVE", inTurns("epoll"));
        try (LeaderFollowersPool pool = LeaderFollowersPool.open(Mechanism.AUTO)) {
            assertEquals("epoll-one-shot", pool.handleSet().demultiplexer());
        }
        System.setProperty(Mechanism.PROPERTY, "poll");
        assertEquals("poll ITERATIVE", inTurns(Mechanism.AUTO));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @EnabledOnOs(OS.LINUX)
    void poolWaitsAllAtOnceWhereThatIsAskedFor(boolean byProperty) throws IOException {
        if (byProperty) {
            System.setProperty(Mechanism.PROPERTY, "epoll-one-shot");
        }
        assertEquals("epoll-one-shot CONCURRENT", inTurns(byProperty ? Mechanism.AUTO : "epoll-one-shot"));
        assertEquals("epoll-one-shot CONCURRENT",
                described(HandleSetSource.open(Mechanism.AUTO, true)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void poolThatAnIterativeSetCannotServeLeavesNothingOpen() throws IOException {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> HandleSetSource.open("epoll", true));
        assertEquals("epoll is an iterative handle set and cannot be used by several threads", refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "10000000000", ""})
    void wrongSettingIsRefusedAndNotIgnored(String value) {
        assumeTrue(isUsable(COMPLETION_ONLY, Mode.ASYNCHRONOUS), "this kernel or container refuses io_uring");
        System.setProperty(IoUringSize.ZERO_COPY_PROPERTY, value);
        String complaint = "-Dsluice.io_uring.zero-copy-from=" + value + ": not a number from 0 to 2147483647";
        for (String name : List.of(COMPLETION_ONLY, Mechanism.AUTO)) {
            assertEquals(complaint, assertThrows(IllegalArgumentException.class,
                    () -> OpenedDemultiplexers.openAsynchronous(name)).getMessage(), name);
        }
        Availability availability = Mechanism.choose(COMPLETION_ONLY, Mode.ASYNCHRONOUS).availability();
        assertEquals(new Availability(true, "not with this setting: " + complaint), availability);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "1025", ""})
    void shareOfTheProvidedBuffersThatCannotBeIsRefusedByAll(String value) throws Exception {
        List<Mechanism> usable = Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mode.ASYNCHRONOUS && factory.availability().usable()).toList();
        System.setProperty(ProvidedBuffers.Size.MAX_RETAINED_PROPERTY, value);
        String complaint = "-Dsluice.provided-buffers.most-kept=" + value + ": not a number from 1 to 1024";
        for (Mechanism factory : usable) {
            assertEquals(complaint, assertThrows(IllegalArgumentException.class,
                    () -> OpenedDemultiplexers.openAsynchronous(factory.name())).getMessage(), factory.name());
        }
    }

    private static List<Mechanism> withFileThreads() {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mode.ASYNCHRONOUS && factory.availability().usable())
                .filter(factory -> !factory.name().startsWith(COMPLETION_ONLY)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "1025", ""})
    void numberOfFileThreadsThatCannotBeIsRefusedByAllThatHaveSome(String value) throws Exception {
        List<Mechanism> usable = withFileThreads();
        System.setProperty(FilePool.MAX_PROPERTY, value);
        String complaint = "-Dsluice.file-threads=" + value + ": not a number from 1 to 1024";
        for (Mechanism factory : usable) {
            assertEquals(complaint, assertThrows(IllegalArgumentException.class,
                    () -> OpenedDemultiplexers.openAsynchronous(factory.name())).getMessage(), factory.name());
        }
    }

    /** An attempt to open one while no descriptor is left. */
    private static Errno attempt(Mechanism factory, String name) throws IOException {
        try {
            Closeable opened = factory.mode() == Mode.SYNCHRONOUS ? OpenedDemultiplexers.openSynchronous(name)
                    : OpenedDemultiplexers.openAsynchronous(name);
            opened.close();
            return null;
        } catch (SystemCallException e) {
            return Errno.valueOf(e.errorName());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void lackOfDescriptorsIsReportedWithoutFallback() throws Exception {
        List<Mechanism> usable = new ArrayList<>();
        for (Mechanism factory : Mechanism.available()) {
            if (factory.availability().usable()) {
                usable.add(factory);
            }
        }
        DescriptorShortage.loadClassesBeside(Mechanism.class);
        DescriptorShortage.loadClassesBeside(StandardDemultiplexers.class);
        DescriptorShortage.loadClassesBeside(Errno.class);
        Map<Mode, String> best = Map.of(Mode.SYNCHRONOUS, auto(Mode.SYNCHRONOUS), Mode.ASYNCHRONOUS,
                auto(Mode.ASYNCHRONOUS));
        List<String> seen = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        try (DescriptorShortage shortage = new DescriptorShortage()) {
            shortage.begin();
            for (Mechanism factory : usable) {
                seen.add(factory + " " + attempt(factory, factory.name()) + " "
                        + factory.availability().reason().startsWith("not right now: "));
                expected.add(factory + " EMFILE true");
            }
            for (Mode mode : Mode.values()) {
                Mechanism chosen = Mechanism.choose(Mechanism.AUTO, mode);
                seen.add(chosen.name() + " " + attempt(chosen, Mechanism.AUTO));
                expected.add(best.get(mode) + " EMFILE");
            }
        }
        assertEquals(String.join("\n", expected), String.join("\n", seen));
        for (Mode mode : Mode.values()) {
            assertEquals(best.get(mode), auto(mode));
        }
    }
}
