package dev.sluice.stages;

/**
 * The outcomes of the events of a stage. The numbers are read one at a time, so they are approximate while events are
 * added or handled; once the stage is idle, accepted is the sum of handled, failed and discarded.
 *
 * @param stage     its name
 * @param accepted  events that its queue has accepted
 * @param handled   events that its handler has handled
 * @param failed    events that its handler has failed on
 * @param discarded events that were accepted and not handled: left by the handler, late, or there at the end
 * @param refused   events that were to be enqueued and were not accepted, for whatever reason
 * @param expected  events that places are {@linkplain EventQueue#prepare reserved} for, or that are
 *                  {@linkplain EventQueue#workStarted() announced}, and that have not been accepted yet
 */
public record StageAccount(String stage, long accepted, long handled, long failed, long discarded, long refused,
                           long expected) {

    /** {@return the account of a stage, in which at least the announced number of events is expected} */
    static StageAccount of(Stage<?> stage, long announced) {
        // In this order, no more can seem to have ended than were accepted.
        long handled = stage.handled();
        long failed = stage.failed();
        long discarded = stage.discarded();
        long expected = Math.max(stage.expected(), announced);
        return new StageAccount(stage.name(), stage.accepted(), handled, failed, discarded, stage.refused(),
                expected);
    }

    /** {@return how many events wait or are being handled} */
    public long unfinished() {
        return accepted - handled - failed - discarded;
    }
}
