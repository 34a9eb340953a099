{-# LANGUAGE GADTs, TypeFamilies #-}
module Store (Order (..), Expr (Add), total, eval) where

import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe)

-- | An order of items.
data Order = Order
  { number :: !Int        -- ^ counts from 1
  , items  :: [(String, Double)]
  } deriving (Show, Eq)

data Expr a where
  Lit :: Int -> Expr Int
  Add :: Expr Int -> Expr Int -> Expr Int
  If  :: Expr Bool -> Expr a -> Expr a -> Expr a

total :: Map.Map String Double -> Order -> Double
total rates order = sum [p * fromMaybe 1 (Map.lookup n rates) | (n, p) <- items order, p >= 0]

eval :: Expr a -> a
eval (Lit n) = n
eval (Add x y) = eval x + eval y
eval (If c t e)
  | eval c = eval t
  | otherwise = foldr' const 'x' "no\n" `seq` eval e
