package dev.sluice.samples.doctor;

import dev.sluice.calls.Availability;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sluice doctor}. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
        description = "Lists the demultiplexers and native bindings: which are usable here, and why the others are "
                + "not.")
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
        out.println();
        bindings(out);
        out.println();
        if (Bindings.providers().stream().anyMatch(provider -> provider.availability().usable())) {
            demultiplexers(out);
        } else {
            out.println("Without a binding no demultiplexer can be used.");
        }
        out.flush();
    }

    private static void bindings(PrintWriter out) {
        TextTable table = new TextTable("BINDING", "USABLE", "REMARK");
        boolean best = true;
        for (BindingProvider provider : Bindings.providers()) {
            Availability availability = provider.availability();
            table.add(provider.name(), yesOrNo(availability), remark(availability, best && availability.usable()));
            best &= !availability.usable();
        }
        table.print(out);
    }

    private static void demultiplexers(PrintWriter out) {
        TextTable table = new TextTable("DEMULTIPLEXER", "KIND", "HANDLE SET", "USABLE", "REMARK");
        for (Mode mode : Mode.values()) {
            Optional<String> best = Demultiplexers.available().stream()
                    .filter(factory -> factory.mode() == mode && factory.availability().usable())
                    .map(DemultiplexerFactory::name)
                    .findFirst();
            for (DemultiplexerFactory factory : Demultiplexers.available()) {
                if (factory.mode() == mode) {
                    Availability availability = factory.availability();
                    table.add(factory.name(), mode.name().toLowerCase(Locale.ROOT),
                            factory.handleSetKind().name().toLowerCase(Locale.ROOT), yesOrNo(availability),
                            remark(availability, best.equals(Optional.of(factory.name()))));
                }
            }
        }
        table.print(out);
    }

    private static String yesOrNo(Availability availability) {
        return availability.usable() ? "yes" : "no";
    }

    private static String remark(Availability availability, boolean best) {
        return best ? "auto" : availability.reason();
    }
}
