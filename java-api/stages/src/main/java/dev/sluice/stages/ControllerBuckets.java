package dev.sluice.stages;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The token buckets of a stage's controllers, one for each that decides rates. They are apart from the stage's own
 * admissions, so that what an application has set stays as it is, and if several controllers decide, the lowest rate
 * counts. After the stage has been made, only for the graph's thread for controllers.
 */
final class ControllerBuckets<E> {

    private final Map<StageController, TokenBucket<E>> buckets = new IdentityHashMap<>();

    /** Makes those that are there from the start. */
    ControllerBuckets(StageController[] controllers) {
        for (StageController controller : controllers) {
            if (controller instanceof PercentileController percentile) {
                buckets.put(controller, percentile.bucket());
            }
        }
    }

    /** {@return the buckets that are there} */
    Iterable<TokenBucket<E>> all() {
        return buckets.values();
    }

    /**
     * Sets the rate of a controller's bucket.
     *
     * @return the bucket if it is a new one, which nothing asks yet; otherwise null
     */
    TokenBucket<E> setRate(StageController controller, double perSecond) {
        TokenBucket<E> bucket = buckets.get(controller);
        if (bucket == null) {
            bucket = new TokenBucket<>(perSecond, Decision.Rate.BURST);
            buckets.put(controller, bucket);
            return bucket;
        }
        bucket.setRate(perSecond);
        return null;
    }
}
