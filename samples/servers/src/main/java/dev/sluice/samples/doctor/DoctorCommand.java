package dev.sluice.samples.doctor;

import dev.sluice.calls.Availability;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.console.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice doctor}. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
        description = "Shows the machine, and all demultiplexers and native bindings: whether each is usable, why "
                + "not, which is selected, and by which property.")
public final class DoctorCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public DoctorCommand() {
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(Platform.CURRENT + ", Java " + Runtime.version());
        out.println(Machine.describe());
        Carriers.describe().ifPresent(out::println);
        out.println();
        try {
            if (bindings(out)) {
                demultiplexers(out);
            } else {
                out.println("No demultiplexer can be used without a binding.");
            }
        } finally {
            out.flush();
        }
    }

    /** {@return whether a binding is usable} */
    private boolean bindings(PrintWriter out) {
        Choice choice = Choice.of(forcedBinding(), () -> Bindings.current().name());
        TextTable table = new TextTable("BINDING", "USABLE", "REMARK");
        for (BindingProvider provider : Bindings.providers()) {
            Availability availability = provider.availability();
            table.add(provider.name(), yesOrNo(availability.usable()),
                    choice.remark(provider.name(), availability.reason()));
        }
        table.print(out);
        out.println();
        requirePossible(List.of(choice));
        return choice.isMade();
    }

    private void demultiplexers(PrintWriter out) {
        TextTable table = new TextTable("DEMULTIPLEXER", "KIND", "WAITING THREADS", "USABLE", "REMARK");
        List<Choice> choices = new ArrayList<>();
        List<Mechanism> known = Mechanism.available();
        for (Mode mode : Mode.values()) {
            Choice choice = Choice.of(Mechanism.forcedBy(mode),
                    () -> Mechanism.choose(Mechanism.AUTO, mode).name());
            choices.add(choice);
            for (Mechanism factory : known) {
                if (factory.mode() == mode) {
                    Mechanism.Availability availability = factory.availability();
                    table.add(factory.name(), kind(factory, known),
                            factory.isConcurrent() ? "many" : "one", yesOrNo(availability.usable()),
                            choice.remark(factory.name(), availability.reason()));
                }
            }
        }
        table.print(out);
        requirePossible(choices);
    }

    /**
     * {@return what it reports, readiness or completion} Completion is emulated if its name is that of a readiness
     * demultiplexer.
     */
    private static String kind(Mechanism factory, List<Mechanism> known) {
        if (factory.mode() == Mode.SYNCHRONOUS) {
            return "readiness";
        }
        boolean emulated = known.stream()
                .anyMatch(other -> other.mode() == Mode.SYNCHRONOUS && other.name().equals(factory.name()));
        return emulated ? "completion, emulated" : "completion";
    }

    private void requirePossible(List<Choice> choices) {
        for (Choice choice : choices) {
            if (choice.isForced() && !choice.isMade()) {
                throw new ParameterException(spec.commandLine(),
                        "-D" + choice.property().orElseThrow() + ": " + choice.complaint());
            }
        }
    }

    private static Optional<String> forcedBinding() {
        return System.getProperty(Bindings.PROPERTY, "").isEmpty()
                ? Optional.empty()
                : Optional.of(Bindings.PROPERTY);
    }

    private static String yesOrNo(boolean usable) {
        return usable ? "yes" : "no";
    }
}
