/** The runnable samples behind {@code ./sluice}. */
module dev.sluice.samples {
    requires com.fasterxml.jackson.core;
    requires dev.sluice.calls;
    requires dev.sluice.leaderfollowers;
    requires dev.sluice.stages;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires java.sql;
    requires jdk.management;
    requires org.slf4j;

    // Found on the class path or in other modules.
    exports dev.sluice.samples.configurator;
    exports dev.sluice.samples.io;
    exports dev.sluice.samples.web.protocol;

    uses dev.sluice.samples.configurator.ServiceObject;
    uses dev.sluice.samples.io.TransferFilterProvider;
    uses dev.sluice.samples.web.protocol.FilterProvider;

    // Options are injected into the commands' fields.
    opens dev.sluice.samples to info.picocli;
    opens dev.sluice.samples.compare to info.picocli;
    opens dev.sluice.samples.dns to info.picocli;
    opens dev.sluice.samples.doctor to info.picocli;
    opens dev.sluice.samples.echo to info.picocli;
    opens dev.sluice.samples.gnutella to info.picocli;
    opens dev.sluice.samples.gopher to info.picocli;
    opens dev.sluice.samples.haboob to info.picocli;
    opens dev.sluice.samples.hybrid to info.picocli;
    opens dev.sluice.samples.levels to info.picocli;
    opens dev.sluice.samples.io to info.picocli;
    opens dev.sluice.samples.logging to info.picocli;
    opens dev.sluice.samples.oltp.backend to info.picocli;
    opens dev.sluice.samples.oltp.frontend to info.picocli;
    opens dev.sluice.samples.oltp.pool to info.picocli;
    opens dev.sluice.samples.server to info.picocli;
    opens dev.sluice.samples.tour to info.picocli;
    opens dev.sluice.samples.wal to info.picocli;
    opens dev.sluice.samples.web to info.picocli;
}
