package dev.sluice.samples.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorTest {

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void listsEveryDemultiplexerWithAReasonForEachNo(JavaHome java) throws Exception {
        List<String> lines = diagnosis(SampleCommand.of("doctor").on(java));
        for (DemultiplexerFactory factory : Demultiplexers.available()) {
            String mode = factory.mode().name().toLowerCase(Locale.ROOT);
            Matcher row = row(lines, factory.name(), "  +" + mode + "  +(iterative|concurrent)");
            assertVerdict(row, factory.availability().usable());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void listsBothBindings(JavaHome java) throws Exception {
        List<String> lines = diagnosis(SampleCommand.of("doctor").on(java));
        assertTrue(lines.get(0).contains("Java " + java.feature()), lines.get(0));
        for (String binding : List.of("ffm", "jna")) {
            assertVerdict(row(lines, binding, ""), java.bindings().contains(binding));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna", "nonsense"})
    void findsOutWithTheBindingThatIsAskedFor(String binding) throws Exception {
        List<String> lines = diagnosis(SampleCommand.of("doctor").withOption("-Dsluice.native=" + binding));
        for (DemultiplexerFactory factory : Demultiplexers.available()) {
            boolean usable = factory.availability().usable() && binding.equals("jna");
            assertVerdict(row(lines, factory.name(), "  +\\w+  +\\w+"), usable);
        }
    }

    @Test
    void takesNoBindingAsAnOption() throws Exception {
        try (SampleProcess doctor = SampleCommand.of("doctor", "--native", "jna").start()) {
            assertEquals(2, doctor.awaitExit());
        }
    }

    private static List<String> diagnosis(SampleCommand command) throws Exception {
        try (SampleProcess doctor = command.start()) {
            assertEquals(0, doctor.awaitExit(), doctor.errors()::text);
            assertEquals("", doctor.errors().text());
            return doctor.output().lines();
        }
    }

    private static Matcher row(List<String> lines, String name, String middle) {
        Pattern pattern = Pattern.compile(Pattern.quote(name) + middle + "  +(?<usable>yes|no)(?<remark>.*)");
        List<Matcher> rows = lines.stream().map(pattern::matcher).filter(Matcher::matches).toList();
        assertEquals(1, rows.size(), () -> name + " in " + String.join("\n", lines));
        return rows.get(0);
    }

    private static void assertVerdict(Matcher row, boolean usable) {
        assertEquals(usable ? "yes" : "no", row.group("usable"), row.group());
        assertTrue(usable || row.group("remark").strip().length() > 3, row.group());
    }
}
