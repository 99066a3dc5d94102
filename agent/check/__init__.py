"""The answer check: is every quote, handle and number of an answer backed by passages that were shown?

Code only, no model: `quotes` matches quotes, `numbers` compares numbers and dates, `answer` judges a whole
draft, `repair` words the one message that goes back to the model.
"""
