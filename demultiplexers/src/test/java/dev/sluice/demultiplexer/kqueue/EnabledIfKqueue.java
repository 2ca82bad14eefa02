package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.KqueueLibrary;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests where no library has kqueue. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(EnabledIfKqueue.Condition.class)
public @interface EnabledIfKqueue {

    /** What decides. */
    final class Condition implements ExecutionCondition {

        private static final String REASON =
                "no library with kqueue; name one by -D" + KqueueLibrary.PROPERTY;

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (KqueueLibrary.isPresent()) {
                return ConditionEvaluationResult.enabled("kqueue is there");
            }
            return ConditionEvaluationResult.disabled(REASON);
        }
    }
}
