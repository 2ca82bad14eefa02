package dev.sluice.samples.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.CommandRun;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DoctorTest {

    private static final Map<JavaHome, List<String>> DIAGNOSES = new ConcurrentHashMap<>();

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void listsEveryDemultiplexerWithAReasonForEachNo(JavaHome java) throws Exception {
        List<String> lines = diagnosis(java);
        for (Mechanism factory : Mechanism.available()) {
            assertVerdict(row(lines, factory), factory.availability().usable());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void distinguishesNativeFromEmulatedCompletion() throws Exception {
        List<String> lines = diagnosis(SampleCommand.of("doctor"));
        row(lines, "io_uring", "  +completion  +one");
        for (String name : List.of("epoll", "poll", "select")) {
            row(lines, name, "  +readiness  +one");
            row(lines, name, "  +completion, emulated  +one");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void listsBothBindings(JavaHome java) throws Exception {
        List<String> lines = diagnosis(java);
        assertTrue(lines.get(0).contains("Java " + java.feature()), lines.get(0));
        for (String binding : List.of("ffm", "jna")) {
            assertVerdict(row(lines, binding, ""), java.bindings().contains(binding));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    @EnabledOnOs(OS.LINUX)
    void describesTheMachine(JavaHome java) throws Exception {
        String machine = diagnosis(java).get(1);
        String kernel = Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
        String congestionControl = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip();
        assertTrue(machine.startsWith("kernel " + kernel + ", TCP with " + congestionControl + ", "), machine);
        assertTrue(machine.contains(", " + cLibrary() + ", 3 processors"), machine);
        Matcher model = Pattern.compile("(?m)^model name\\s*: (.*)$")
                .matcher(Files.readString(Path.of("/proc/cpuinfo")));
        assertTrue(!model.find() || machine.endsWith(", " + model.group(1).strip().replaceAll(" +", " ")), machine);
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void saysHowManyVirtualThreadsMayWait(JavaHome java) throws Exception {
        String line = diagnosis(java).get(2);
        assertEquals(java.feature() >= 21 ? "virtual threads have 3 carriers, and each that waits in a blocking call"
                + " occupies one: if all do, no other virtual thread runs" : "", line);
    }

    /** {@return what the C library's own program says; there is none for musl} */
    private static String cLibrary() throws Exception {
        ExternalProgram getconf = ExternalProgram.run(List.of("getconf", "GNU_LIBC_VERSION"));
        return getconf.exitCode() == 0 ? getconf.text().strip() : "musl";
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void marksTheBestAsAuto(JavaHome java) throws Exception {
        List<String> lines = diagnosis(java);
        List<String> best = new ArrayList<>(java.bindings().subList(0, 1));
        for (Mode mode : Mode.values()) {
            Mechanism.available().stream()
                    .filter(factory -> factory.mode() == mode && factory.availability().usable())
                    .map(Mechanism::name).findFirst().ifPresent(best::add);
        }
        assertEquals(best, marked(lines, "auto"));
        assertEquals(List.of(), marked(lines, "forced .*"));
    }

    @Test
    void marksWhatIsForcedAndCountsOneProcessor() throws Exception {
        List<String> lines = diagnosis(SampleCommand.of("doctor")
                .withOption("-XX:ActiveProcessorCount=1")
                .withOption("-Dsluice.native=jna").withOption("-Dsluice.demultiplexer=select"));
        assertTrue(lines.get(1).matches(".*, 1 processor(,.*)?"), lines.get(1));
        assertEquals(List.of("jna"), marked(lines, "forced by -Dsluice.native"));
        assertEquals(List.of("select", "select"), marked(lines, "forced by -Dsluice.demultiplexer"));
        assertEquals(List.of(), marked(lines, "auto"));
        for (Mechanism factory : Mechanism.available()) {
            assertVerdict(row(lines, factory), factory.availability().usable());
        }
    }

    @ParameterizedTest
    @CsvSource({"sluice.native,nonsense", "sluice.demultiplexer,nonsense", "sluice.demultiplexer,kqueue"})
    @EnabledOnOs(OS.LINUX)
    void complainsOfWhatCannotBeForced(String property, String name) throws Exception {
        String option = "-D" + property + "=" + name;
        try (RunningSample doctor = SampleCommand.of("doctor").withOption(option).start()) {
            assertEquals(2, doctor.awaitExit());
            List<String> errors = doctor.errors().lines();
            assertEquals(1, errors.size(), doctor.errors()::text);
            assertTrue(errors.get(0).startsWith("sluice doctor: -D" + property + ": "), errors.get(0));
            assertTrue(errors.get(0).contains("'" + name + "'"), errors.get(0));
            List<String> lines = doctor.output().lines();
            assertVerdict(row(lines, "jna", ""), true);
            assertEquals(List.of(), marked(lines, "forced .*"));
        }
    }

    @Test
    void takesNoBindingAsAnOption() throws Exception {
        assertEquals(2, CommandRun.of("doctor", "--native", "jna").exitCode());
    }

    /** {@return the lines for a Java that sees three processors, which does not change from test to test} */
    private static List<String> diagnosis(JavaHome java) throws Exception {
        List<String> lines = DIAGNOSES.get(java);
        if (lines == null) {
            lines = diagnosis(SampleCommand.of("doctor").on(java).withOption("-XX:ActiveProcessorCount=3"));
            DIAGNOSES.put(java, lines);
        }
        return lines;
    }

    private static List<String> diagnosis(SampleCommand command) throws Exception {
        try (RunningSample doctor = command.start()) {
            assertEquals(0, doctor.awaitExit(), doctor.errors()::text);
            assertEquals("", doctor.errors().text());
            return doctor.output().lines();
        }
    }

    private static Matcher row(List<String> lines, Mechanism factory) {
        String kind = factory.mode() == Mode.SYNCHRONOUS ? "readiness" : "completion(, emulated)?";
        return row(lines, factory.name(), "  +" + kind + "  +(one|many)");
    }

    private static Matcher row(List<String> lines, String name, String middle) {
        Pattern pattern = Pattern.compile(Pattern.quote(name) + middle + "  +(?<usable>yes|no)(?<remark>.*)");
        List<Matcher> rows = lines.stream().map(pattern::matcher).filter(Matcher::matches).toList();
        assertEquals(1, rows.size(), () -> name + " in " + String.join("\n", lines));
        return rows.get(0);
    }

    /** {@return the names in the rows with this remark} */
    private static List<String> marked(List<String> lines, String remark) {
        return lines.stream().filter(line -> line.matches(".*  yes  +" + remark)).map(line -> line.split(" ")[0])
                .toList();
    }

    private static void assertVerdict(Matcher row, boolean usable) {
        assertEquals(usable ? "yes" : "no", row.group("usable"), row.group());
        assertTrue(usable || row.group("remark").strip().length() > 3, row.group());
    }
}
