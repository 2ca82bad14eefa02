package dev.sluice.stages;

/**
 * The outcomes of the events of a stage. The numbers are read one at a time, so they are approximate while events are
 * added or handled; once the stage is idle, accepted is the sum of handled, failed and discarded.
 *
 * @param stage     its name
 * @param accepted  events that its queue has accepted
 * @param handled   events that its handler has handled
 * @param failed    events that its handler has failed on
 * @param discarded accepted events that were discarded: by the handler, because they were late, or at the end
 * @param rejected  events that were not accepted, for any reason
 * @param expected  events that have not been accepted yet, but have a {@linkplain EventQueue#prepare reservation} or
 *                  are {@linkplain EventQueue#workStarted() announced}
 */
public record StageAccount(String stage, long accepted, long handled, long failed, long discarded, long rejected,
                           long expected) {

    /** {@return the account of a stage that expects at least the given number of announced events} */
    static StageAccount of(Stage<?> stage, long announced) {
        // Read in this order, the number of ended events never exceeds the number of accepted ones.
        long handled = stage.handled();
        long failed = stage.failed();
        long discarded = stage.discarded();
        long expected = Math.max(stage.expected(), announced);
        return new StageAccount(stage.name(), stage.accepted(), handled, failed, discarded, stage.rejected(),
                expected);
    }

    /** {@return the number of events that wait or are being handled} */
    public long pending() {
        return accepted - handled - failed - discarded;
    }
}
