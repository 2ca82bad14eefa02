package dev.sluice.stages;

/** A stage with a single place, of a graph that is never started, so that no thread takes from it. */
final class UnstartedStage {

    private final Stage<Integer> stage = new StageGraph("graph of a test").add("stage", Integer.class, batch -> { },
            new StageOptions<Integer>().capacity(1).direct());

    Stage<Integer> stage() {
        return stage;
    }

    /** {@return a preparation that has given its place back, and may be prepared again} */
    Preparation<Integer> preparedAndClosed() {
        Preparation<Integer> preparation = stage.queue().prepare(1);
        preparation.close();
        return preparation;
    }

    /** {@return whether there was an event, which is gone now} */
    boolean takeOne() {
        return stage.ownQueue().take(new EventBatch<>(1, null, false), 1) == 1;
    }

    /** {@return 1 if there was space, and the queue was not closed; otherwise 0} */
    int enqueueAgain(Preparation<Integer> preparation) {
        if (preparation.prepareAgain() != Outcome.ACCEPTED) {
            return 0;
        }
        preparation.commit();
        return 1;
    }
}
